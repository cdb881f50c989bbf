import { customers } from "@/lib/queries/customers.ts";

/** State of the table in the address bar: the same link shows the same customers. */
export interface CustomersUrl {
  /** How the id begins. */
  readonly search: string;
  /** A fixed group such as "no-tier", or "tier:<name>". */
  readonly group: string;
}

/** Props of a part that shows the state and changes it. */
export interface UrlProps {
  url: CustomersUrl;
  change: (next: CustomersUrl) => void;
}

const longestSearch = 64;

/** Reads untrusted text. A part that is not valid is ignored. */
export function readCustomersUrl(given: Pick<URLSearchParams, "get">): CustomersUrl {
  const group = given.get("group") ?? "all";
  return {
    search: (given.get("q") ?? "").trim().slice(0, longestSearch),
    group: /^(no-tier|own-levels|suspended|not-obeyed|tier:[a-z][a-z0-9_-]{0,31})$/.test(group)
      ? group
      : "all",
  };
}

/** Only what differs from the plain table. */
export function writeCustomersUrl({ search, group }: CustomersUrl): string {
  const given = new URLSearchParams();
  if (search !== "") given.set("q", search);
  if (group !== "all") given.set("group", group);
  return given.size > 0 ? `?${given}` : "";
}

/** One read of many: rows from `offset` on. */
export function readOf(url: CustomersUrl, offset: number) {
  const search = url.search === "" ? undefined : url.search;
  return customers({ search, group: url.group, offset });
}
