/** The parameters of a page's URL, as Next passes them to the page. */
export type PageSearch = Promise<Record<string, string | string[] | undefined>>;

/** Parameters that occur once. */
export async function readPageSearch(given: PageSearch): Promise<URLSearchParams> {
  const once = Object.entries(await given).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return new URLSearchParams(once);
}
