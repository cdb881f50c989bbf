import type { Offender } from "@/lib/queries/offenders.ts";
import { type Grouping, hasCustomer, isBlocked, type OffenderView, sayAs } from "./offender-view.ts";
import { rangeAround } from "./ranges.ts";

/** Clients that have something in common, with the sums of their rates. */
export interface OffenderGroup {
  readonly key: string;
  readonly name: string;
  readonly clients: readonly Offender[];
  readonly requestsPerSecond: number;
  readonly deniedPerSecond: number;
  readonly blocked: number;
  /** Names of customers. */
  readonly customers: readonly string[];
  /** Whether a customer of a client may be missing. */
  readonly hasUnknownCustomers: boolean;
  /** The filter that shows these clients. Undefined for the clients without a value. */
  readonly filter: Partial<OffenderView> | undefined;
  /** Undefined unless grouped by range. */
  readonly range: string | undefined;
}

type GroupedBy = Exclude<Grouping, "client">;

/** Groups by denials in the last minute, then by requests. A view that sorts by requests sorts groups, too. */
export function groupClients(
  clients: readonly Offender[],
  by: GroupedBy,
  { sort, dir }: Pick<OffenderView, "sort" | "dir">,
): OffenderGroup[] {
  const groups = new Map<string, Offender[]>();
  for (const client of clients) {
    const value = groupName(client, by) ?? "";
    const members = groups.get(value);
    if (members) members.push(client);
    else groups.set(value, [client]);
  }
  const sign = dir === "asc" ? 1 : -1;
  const rate = sort === "requests" ? "requestsPerSecond" : "deniedPerSecond";
  return [...groups]
    .map(([value, members]) => groupOf(value, members, by))
    .sort((a, b) => sign * (a[rate] - b[rate]) || b.requestsPerSecond - a.requestsPerSecond);
}

function groupName(client: Offender, by: GroupedBy): string | undefined {
  const { kind, network, tool } = client;
  if (by === "tool") return tool;
  if (by === "range") return kind === "ip" ? rangeAround(client.client) : undefined;
  if (by === "country") return network?.country ?? undefined;
  return network?.asn ? `AS${network.asn}` : undefined;
}

const without: Readonly<Record<GroupedBy, string>> = {
  as: "unknown network",
  country: "unknown country",
  range: "no address",
  tool: "no known tool",
};

function groupOf(value: string, clients: readonly Offender[], by: GroupedBy): OffenderGroup {
  const network = by === "as" ? clients[0]?.network : undefined;
  const name = network?.asn ? sayAs(network.asn, network.asName) : value;
  const field = by === "tool" ? "tool" : "network";
  return {
    key: value,
    name: value === "" ? without[by] : name,
    clients,
    requestsPerSecond: sumOf(clients, "requestsPerSecond"),
    deniedPerSecond: sumOf(clients, "deniedPerSecond"),
    blocked: clients.filter(isBlocked).length,
    customers: [...new Set(clients.filter(hasCustomer).flatMap(({ customers }) => customers ?? []))],
    hasUnknownCustomers: clients.some(({ customers }) => customers === null),
    filter: value === "" ? undefined : { [field]: value },
    range: by === "range" && value !== "" ? value : undefined,
  };
}

/** Sum of a rate. */
export function sumOf(clients: readonly Offender[], rate: "requestsPerSecond" | "deniedPerSecond"): number {
  return clients.reduce((sum, client) => sum + client[rate], 0);
}
