/** What the address bar says of the table: whoever opens the link sees the same customers. */
export interface CustomersUrl {
  /** How the id begins. */
  readonly search: string;
  /** "all", "no-tier", "own-levels", "not-obeyed" or "tier:<name>". */
  readonly group: string;
}

const longestSearch = 64;

/** Reads what anybody may have typed; what makes no sense is as if it were not there. */
export function readCustomersUrl(given: URLSearchParams): CustomersUrl {
  const group = given.get("group") ?? "all";
  return {
    search: (given.get("q") ?? "").trim().slice(0, longestSearch),
    group: /^(no-tier|own-levels|not-obeyed|tier:[a-z][a-z0-9_-]{0,31})$/.test(group) ? group : "all",
  };
}

/** Only what differs from the plain table. */
export function writeCustomersUrl({ search, group }: CustomersUrl): string {
  const given = new URLSearchParams();
  if (search !== "") given.set("q", search);
  if (group !== "all") given.set("group", group);
  return given.size > 0 ? `?${given}` : "";
}
