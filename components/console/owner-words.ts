import { counted, durationText } from "@/components/ui/value-text.ts";
import type { Owner, OwnersOf, OwnersReply } from "@/lib/queries/owners.ts";
import { forHowLong } from "./time-words.ts";

const weekMs = 604_800_000;
const mostNamed = 3;

/** What is known of an address or range without a customer. */
export function sayNoOwner({ asOf, knownSince }: Pick<OwnersReply, "asOf" | "knownSince">): string {
  if (knownSince === null) return "Customers unknown: a node does not report them";
  const known = asOf - knownSince;
  return `No customer in the last ${known >= weekMs - 60_000 ? "week" : durationText(Math.max(1_000, known))}`;
}

/** "acme", "acme and 1042", "acme, 1042, 2210 and 4 more" */
export function namesOf(owners: readonly Pick<Owner, "customer">[]): string {
  const names = owners.slice(0, mostNamed).map(({ customer }) => customer);
  const more = owners.length - names.length;
  const parts = more > 0 ? [...names, `${more} more`] : names;
  const last = parts.pop() ?? "";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}

/** A customer with its requests: "acme (2,440 signed-in requests in the last hour)". Others of the address are not among them. */
export function withRequests({ customer, requests }: Pick<Owner, "customer" | "requests">): string {
  if (requests === 0) return customer;
  return `${customer} (${counted(requests, "signed-in request")} in the last hour)`;
}

/** Customers of all these addresses, the busiest first. */
export function allOwners(of: readonly OwnersOf[]): Owner[] {
  const sums = new Map<string, Owner>();
  for (const owner of of.flatMap(({ owners }) => owners)) {
    const known = sums.get(owner.customer);
    const requests = owner.requests + (known?.requests ?? 0);
    sums.set(owner.customer, { ...owner, requests, lastAt: Math.max(owner.lastAt, known?.lastAt ?? 0) });
  }
  return [...sums.values()].sort((a, b) => b.requests - a.requests);
}

export interface BlockQuestion {
  readonly title: string;
  readonly description: string;
  readonly label: string;
}

/** The question before a block that would hit customers. Undefined if it would hit none. */
export function blockQuestion(
  of: readonly OwnersOf[],
  ttlMs: number | null | undefined,
): BlockQuestion | undefined {
  const owned = of.filter(({ owners }) => owners.length > 0);
  const [first] = owned;
  if (!first) return undefined;
  const all = allOwners(owned);
  const isOne = of.length === 1;
  const subject = isOne ? `${first.address} is` : `${owned.length} of ${of.length} addresses are`;
  const who = `${all.length === 1 ? "customer" : "customers"} ${namesOf(all)}`;
  const life = ttlMs === undefined ? "" : ` ${forHowLong(ttlMs)}`;
  return {
    title: `${subject} used by ${who}. Block ${isOne ? "it" : "them"} anyway?`,
    description: `Requests of ${listed(all)} would get 403.`,
    label: `Block ${isOne ? first.address : counted(of.length, "address", "addresses")}${life}`,
  };
}

function listed(owners: readonly Owner[]): string {
  const shown = owners.slice(0, mostNamed).map(withRequests);
  const more = owners.length - shown.length;
  return `${owners.length === 1 ? "customer" : "customers"} ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** "192.0.2.30 (acme) blocked for 1 hour", "5 blocked for 1 week, with customer acme" */
export function blockedText(of: readonly OwnersOf[], done: number, ttlMs: number | null | undefined): string {
  if (done === 0) return "No change needed";
  const life = ttlMs === undefined ? "" : ` ${forHowLong(ttlMs)}`;
  const [only, another] = of;
  if (only && !another) {
    const whose = only.owners.length > 0 ? ` (${namesOf(only.owners)})` : "";
    return `${only.address}${whose} blocked${life}`;
  }
  const all = allOwners(of);
  const whose = all.length > 0 ? `, with ${all.length === 1 ? "customer" : "customers"} ${namesOf(all)}` : "";
  return `${done} blocked${life}${whose}`;
}
