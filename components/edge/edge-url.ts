const longestSearch = 200;

interface Parameters {
  get(name: string): string | null;
}

/** What is searched for. */
export function readSearch(given: Parameters): string {
  return (given.get("q") ?? "").trim().slice(0, longestSearch);
}

export function writeSearch(q: string): string {
  return q === "" ? "" : `?${new URLSearchParams({ q })}`;
}
