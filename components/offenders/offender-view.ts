import { covers } from "@/lib/ip/block.ts";
import { readBlock } from "@/lib/ip/parse.ts";
import type { Offender } from "@/lib/queries/offenders.ts";

/** What one row of the table is. */
export const groupings = ["client", "as", "country", "range", "tool"] as const;
export type Grouping = (typeof groupings)[number];

export const offenderSorts = ["denied", "requests", "ratio", "estimate", "clears", "client"] as const;
export type OffenderSort = (typeof offenderSorts)[number];

/** View of the table, as in the page's URL. */
export interface OffenderView {
  readonly group: Grouping;
  readonly sort: OffenderSort;
  readonly dir: "asc" | "desc";
  readonly tool: string | undefined;
  /** Part of a path. */
  readonly path: string | undefined;
  /** `AS64500`, `DE` or a range. */
  readonly network: string | undefined;
  readonly isCustomers: boolean;
  /** Without clients that an entry blocks. */
  readonly isUnblocked: boolean;
}

export const plainView: OffenderView = {
  ...{ group: "client", sort: "denied", dir: "desc" },
  ...{ tool: undefined, path: undefined, network: undefined },
  ...{ isCustomers: false, isUnblocked: false },
};

const longestText = 120;
const names = ["group", "sort", "dir", "tool", "path", "network", "customers", "blocked"] as const;

/** View of a URL, which may be typed. Ignores invalid values. */
export function readOffenderView(search: Pick<URLSearchParams, "get">): OffenderView {
  const sort = offenderSorts.find((known) => known === search.get("sort")) ?? plainView.sort;
  const dir = search.get("dir");
  const text = (name: string) => search.get(name)?.slice(0, longestText) || undefined;
  const network = text("network");
  return {
    group: groupings.find((known) => known === search.get("group")) ?? plainView.group,
    ...{ sort, dir: dir === "asc" || dir === "desc" ? dir : firstDirection(sort) },
    ...{ tool: text("tool"), path: text("path") },
    network: network !== undefined && isNetwork(network) ? network : undefined,
    isCustomers: search.get("customers") === "only",
    isUnblocked: search.get("blocked") === "no",
  };
}

/** The URL's other parameters with this view. Leaves out defaults, for short links. */
export function writeOffenderView(view: OffenderView, others: URLSearchParams): string {
  const search = new URLSearchParams(others);
  for (const name of names) search.delete(name);
  const { group, sort, dir, tool, path, network, isCustomers, isUnblocked } = view;
  if (group !== plainView.group) search.set("group", group);
  if (sort !== plainView.sort) search.set("sort", sort);
  if (dir !== firstDirection(sort)) search.set("dir", dir);
  for (const [name, value] of Object.entries({ tool, path, network }))
    if (value !== undefined) search.set(name, value);
  if (isCustomers) search.set("customers", "only");
  if (isUnblocked) search.set("blocked", "no");
  return search.size > 0 ? `?${search}` : "";
}

/** The same column again reverses the order. */
export function withSort(view: OffenderView, sort: OffenderSort): OffenderView {
  const turned = view.dir === "asc" ? "desc" : "asc";
  return { ...view, sort, dir: view.sort === sort ? turned : firstDirection(sort) };
}

export const isFiltered = ({ tool, path, network, isCustomers, isUnblocked }: OffenderView): boolean =>
  tool !== undefined || path !== undefined || network !== undefined || isCustomers || isUnblocked;

const firstDirection = (sort: OffenderSort) => (sort === "client" ? "asc" : "desc");

const asName = /^AS\d{1,10}$/;
const countryName = /^[A-Z]{2}$/;

const isNetwork = (text: string) =>
  asName.test(text) || countryName.test(text) || readBlock(text) !== undefined;

/** The clients of a view, in its order. @param clients the worst first */
export function shownClients(clients: readonly Offender[], view: OffenderView): readonly Offender[] {
  const found = isFiltered(view) ? clients.filter((client) => isWanted(client, view)) : clients;
  const sign = view.dir === "asc" ? 1 : -1;
  if (view.sort === "denied" && view.dir === "desc") return found;
  if (view.sort === "client")
    return found.toSorted((a, b) => sign * a.client.localeCompare(b.client, "en", { numeric: true }));
  const sorted = values[view.sort];
  return found.toSorted((a, b) => sign * (sorted(a) - sorted(b)));
}

const values: Readonly<Record<Exclude<OffenderSort, "client">, (offender: Offender) => number>> = {
  denied: ({ deniedPerSecond }) => deniedPerSecond,
  requests: ({ requestsPerSecond }) => requestsPerSecond,
  ratio: ({ counter }) => (counter?.limit ? counter.used / counter.limit : -1),
  estimate: ({ estimate }) => estimate?.used ?? -1,
  clears: ({ clearsMs }) => clearsMs ?? -1,
};

function isWanted(offender: Offender, { tool, path, network, isCustomers, isUnblocked }: OffenderView) {
  return (
    (tool === undefined || offender.tool === tool) &&
    (path === undefined || offender.paths.some((one) => one.includes(path))) &&
    (network === undefined || isInNetwork(offender, network)) &&
    (!isCustomers || hasCustomer(offender)) &&
    (!isUnblocked || !isBlocked(offender))
  );
}

export const hasCustomer = ({ customers }: Offender): boolean => customers !== null && customers.length > 0;

/** Of a customer: all of its addresses are blocked. */
export const isBlocked = ({ listed, blockedAddresses: of }: Offender): boolean =>
  listed?.list === "blocklist" || (of !== undefined && of.blocked === of.total);

function isInNetwork({ kind, client, network }: Offender, wanted: string): boolean {
  if (asName.test(wanted)) return network?.asn === Number(wanted.slice(2));
  if (countryName.test(wanted)) return network?.country === wanted;
  if (kind !== "ip") return false;
  const [range, block] = [readBlock(wanted), readBlock(client)];
  return range !== undefined && block !== undefined && covers(range, block);
}

/** Values to filter by, with the clients of each: the most clients first. */
export interface Choice {
  readonly value: string;
  readonly text: string;
  readonly count: number;
}

export function choicesOf(
  clients: readonly Offender[],
  valuesOf: (offender: Offender) => readonly Omit<Choice, "count">[],
): Choice[] {
  const found = new Map<string, Choice>();
  for (const client of clients)
    for (const { value, text } of valuesOf(client))
      found.set(value, { value, text, count: (found.get(value)?.count ?? 0) + 1 });
  return [...found.values()].sort((a, b) => b.count - a.count || a.text.localeCompare(b.text));
}

export const toolsOf = ({ tool }: Offender) => (tool === undefined ? [] : [{ value: tool, text: tool }]);

export const pathsOf = ({ paths }: Offender) => paths.map((path) => ({ value: path, text: path }));

export const asOf = ({ network }: Offender) =>
  network?.asn ? [{ value: `AS${network.asn}`, text: sayAs(network.asn, network.asName) }] : [];

export const countryOf = ({ network }: Offender) =>
  network?.country ? [{ value: network.country, text: network.country }] : [];

/** "AS64500 Example Hosting" */
export const sayAs = (asn: number, name: string | null) => `AS${asn}${name ? ` ${name}` : ""}`;
