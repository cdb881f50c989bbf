import type { Tone } from "@/components/ui/tone.ts";
import { counted, countText, durationText } from "@/components/ui/value-text.ts";
import type { ClientReply, Reach } from "@/lib/queries/client.ts";

const hourMs = 3_600_000;

/** The state of a client in a few words. */
export interface ClientState {
  readonly tone: Tone;
  /** "Throttled by req/ip/2", "Blocked, 22 h 50 min left" */
  readonly says: string;
  /** What else is known, each a part of one line. */
  readonly facts: readonly string[];
}

/** Says what is known of a client, and nothing else. */
export function clientState(reply: ClientReply, now: number): ClientState {
  const facts = [toolOf(reply), sayLastHour(reply)].filter((fact) => fact !== undefined);
  return { ...verdictState(reply, now), facts };
}

function verdictState(reply: ClientReply, now: number): Omit<ClientState, "facts"> {
  const { outcome, isCertain, steps } = reply;
  if (outcome === "throttled") {
    const level = steps.flatMap(({ rules }) => rules).find(({ isDeciding }) => isDeciding);
    return { tone: "throttled", says: level ? `Throttled by ${level.name}` : "Throttled" };
  }
  const isSuspended = steps.some(({ step, decides }) => step === "customer" && decides);
  if (isSuspended) return { tone: "blocked", says: "Customer suspended" };
  const entry = enforcedEntry(reply);
  const isListed = outcome === "blocked" || outcome === "safelisted";
  const left = isListed && entry ? sayLeft(entry.expiresAt, now) : "";
  if (outcome === "blocked") return { tone: "blocked", says: `Blocked${left}` };
  if (outcome === "safelisted") return { tone: "safelisted", says: `Safelisted${left}` };
  if (!isCertain) return { tone: "plain", says: "State unknown" };
  // Only the mode can keep an entry from being enforced.
  if (entry) return { tone: "plain", says: "On the blocklist, but protection is off" };
  return { tone: "pass", says: "Passes" };
}

/** Of a customer: its addresses that an entry or a rule of addresses denies. */
export interface DeniedAddresses {
  readonly blocked: number;
  readonly throttled: number;
  readonly total: number;
  /** The blocklist has a part of an IPv6 network. */
  readonly hasPart: boolean;
}

/** What decides a client's next request: an entry before any limit, of a customer that of its addresses. */
export function deciderOf({ entry, addresses, isThrottled }: Deciders): "entry" | "addresses" | "limits" {
  if (entry) return "entry";
  const { blocked, throttled, total } = addresses;
  // From its other addresses, its limits decide.
  const isOfAll = blocked + throttled === total;
  return addressesState(addresses) && (isOfAll || !isThrottled) ? "addresses" : "limits";
}

interface Deciders {
  readonly entry: object | undefined;
  readonly addresses: DeniedAddresses;
  /** By its own limits. */
  readonly isThrottled: boolean;
}

/** "Blocked by address", "2 of 5 addresses blocked". Undefined where no address is denied. */
export function addressesState(denied: DeniedAddresses): Omit<ClientState, "facts"> | undefined {
  const { blocked, throttled, total, hasPart } = denied;
  const count = blocked + throttled;
  if (count === 0) return hasPart ? { tone: "blocked", says: "Blocked in part of a network" } : undefined;
  const tone = blocked > 0 || hasPart ? "blocked" : "throttled";
  const verb = blocked > 0 ? "blocked" : "throttled";
  if (count < total) return { tone, says: `${count} of ${total} addresses ${verb}` };
  return { tone, says: `${blocked > 0 ? "Blocked" : "Throttled"} by address` };
}

/** The entry that decides, or would: the first enforced one of the safelist, then of the blocklist. */
function enforcedEntry({ steps }: ClientReply) {
  return steps.flatMap(({ entries }) => entries).find(({ notEnforced }) => notEnforced === undefined);
}

function sayLeft(expiresAt: number | null, now: number): string {
  return expiresAt === null ? ", never expires" : `, ${durationText(expiresAt - now)} left`;
}

function sayLastHour({ day, asOf }: Pick<ClientReply, "day" | "asOf">): string {
  if (day === null) return "requests of the last hour unknown";
  const minutes = day.minutes.filter(({ at }) => at > asOf - hourMs);
  const requests = minutes.reduce((sum, minute) => sum + minute.requests, 0);
  const denied = minutes.reduce((sum, minute) => sum + minute.denied, 0);
  if (requests > 0) return `${countText(denied)} of ${counted(requests, "request")} denied in the last hour`;
  return day.minutes.length > 0
    ? "no request recorded in the last hour"
    : "no request recorded in the last 24 h";
}

function toolOf({ userAgents }: Pick<ClientReply, "userAgents">): string | undefined {
  return userAgents.find(({ tool }) => tool)?.tool;
}

/** Reason for the audit log: the evidence. "" without any. */
export function evidenceOf(reply: Pick<ClientReply, "steps" | "userAgents">): string {
  const deciding = reply.steps.flatMap(({ rules }) => rules).find(({ isDeciding }) => isDeciding);
  const tool = toolOf(reply);
  return [deciding && `over ${deciding.name}`, tool && `uses ${tool}`].filter(Boolean).join(", ");
}

/** Clients and customers in a range, in the last hour. */
export function rangeFacts({
  clients,
  requests,
  denied,
  customers,
  customersKnownSince,
}: Reach): readonly string[] {
  const whose = customersOf({ customers, customersKnownSince });
  if (requests === 0 && (customers ?? []).length === 0)
    return ["no client in it was among the busiest in the last hour", ...(customers ? [] : [whose])];
  return [
    `${counted(clients, "client")} in the last hour`,
    `${countText(denied)} of ${counted(requests, "request")} denied`,
    whose,
  ];
}

function customersOf({
  customers,
  customersKnownSince,
}: Pick<Reach, "customers" | "customersKnownSince">): string {
  if (!customers || (customers.length === 0 && customersKnownSince === null)) return "customers unknown";
  const named = customers.slice(0, 3).map(({ text }) => text);
  const more = customers.length > named.length ? ` and ${customers.length - named.length} more` : "";
  return customers.length === 0
    ? "no customer among them"
    : `${counted(customers.length, "customer")}: ${named.join(", ")}${more}`;
}
