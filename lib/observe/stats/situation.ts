import { madeOnce } from "../../at.ts";
import type { Mode } from "../../enforce/policy/schema.ts";
import type { Usual } from "./usual.ts";

/** A client with denials since the start of the minute before. All counts are certain: the client may have had more. */
export interface DeniedClient {
  /** An address, or the /64 network of an IPv6 address. */
  readonly client: string;
  readonly requests: number;
  readonly denied: number;
  /** The app that got most of its requests. */
  readonly app: string;
  /** Number and name of its autonomous system. Undefined while unknown. */
  readonly network?: { readonly asn: number; readonly name?: string | undefined } | undefined;
  /** Customers that use it. Undefined while unknown. */
  readonly customers?: readonly string[] | undefined;
  /** An entry of the blocklist covers it. */
  readonly isBlocked: boolean;
}

/** Denials per second of one minute. Undefined while unknown. */
export interface DeniedMinute {
  readonly at: number;
  readonly perSecond: number | undefined;
}

/** A change, and when it was made in ms. */
export interface RecentChange {
  readonly at: number;
  readonly action: string;
  readonly text: string;
}

export interface ModeSwitch {
  /** ISO. Null for a policy that another program wrote. */
  readonly at: string | null;
  readonly by: string | null;
  readonly reason: string;
}

/** Everything that is known of the last minutes. */
export interface SituationFacts {
  readonly nowMs: number;
  readonly mode: Mode;
  readonly modeSince: ModeSwitch | undefined;
  readonly areCountersUp: boolean;
  /** Live nodes of apps. */
  readonly nodes: number;
  /** Apps with live nodes of which no counts arrived in the last minute. */
  readonly silentApps: readonly string[];
  /** The last minute, per second. */
  readonly minute: { readonly requests: number; readonly throttled: number; readonly blocked: number };
  readonly usual: Usual | undefined;
  /** Whole minutes of the last hour, oldest first. */
  readonly deniedMinutes: readonly DeniedMinute[];
  /** Denials since `from`, the start of the minute before. */
  readonly recent: { readonly from: number; readonly denied: number };
  /** The addresses with the most denials since then, most first. Not all of them. */
  readonly clients: readonly DeniedClient[];
  /** Changes of the last hour. */
  readonly changes: readonly RecentChange[];
}

/** What the names of the clients that cause most denials follow from. */
type DenialFacts = Pick<SituationFacts, "recent" | "clients">;

/** A part of all denials, in whole percent. */
export interface DenialShare {
  readonly percent: number;
  /** The true share may be higher. */
  readonly isLeast: boolean;
}

/** The clients that a sentence names. */
export interface NamedClients {
  readonly clients: readonly DeniedClient[];
  readonly share: DenialShare;
  /** The one network of all of them. Undefined if they have several, or if one is unknown. */
  readonly network?: string | undefined;
}

/** Start of the minutes in which denials are high. */
export interface HighSince {
  readonly at: number;
  /** They were high before, too, for an unknown time. */
  readonly isEarlier: boolean;
}

/** How denials compare with those of this hour on earlier days. Undefined while that is unknown. */
type AgainstUsual = "below" | "usual" | "above" | undefined;

export type Situation =
  | {
      readonly kind: "unknown";
      readonly cause: "nodes" | "reports" | "counters";
      readonly apps: readonly string[];
    }
  | { readonly kind: "off" | "shadow"; readonly since?: ModeSwitch | undefined }
  | ({ readonly kind: "attack"; readonly since: HighSince } & NamedClients)
  | {
      readonly kind: "elevated";
      readonly since: HighSince;
      readonly reason: ElevatedReason;
    }
  | { readonly kind: "quiet"; readonly against?: AgainstUsual };

/** What is known of high denials that are no attack of a few clients. */
export type ElevatedReason =
  /** Most denials are of clients that are blocked already. */
  | ({ readonly is: "blocked" } & NamedClients)
  /** Most are of clients that customers use. */
  | ({ readonly is: "customers"; readonly customers: readonly string[] } & NamedClients)
  /** Few clients cause most of them, but not so many as in an attack. */
  | ({ readonly is: "clients" } & NamedClients)
  /** They began with a change. */
  | { readonly is: "change"; readonly change: RecentChange }
  /** No few clients cause most of them. */
  | { readonly is: "spread" };

/** With fewer denials per second, nothing is an attack. */
const leastDenied = 1;
/** Without a usual rate, this share of all requests is high. */
const highShare = 0.1;
/** An attack has this many times the highest usual rate. */
const attackFactor = 3;
/** Named clients cause at least this share of the denials. */
const mostShare = 0.5;
/** Another client is named only if it has this share. */
const ownShare = 0.05;
/** A change this long before a rise may be its reason. */
const changeMs = 180_000;
const minuteMs = 60_000;

/** Describes the last minutes. What is unknown comes first, and nothing is claimed beyond the facts. */
export function situationOf(facts: SituationFacts): Situation {
  const { mode, modeSince, nodes, silentApps, areCountersUp } = facts;
  if (nodes === 0) return { kind: "unknown", cause: "nodes", apps: [] };
  if (mode !== "enforce") return { kind: mode, since: modeSince };
  if (!areCountersUp) return { kind: "unknown", cause: "counters", apps: [] };
  const denied = facts.minute.throttled + facts.minute.blocked;
  const against = againstUsual(denied, facts.usual);
  if (isHigh(facts, denied, against)) return highOf(facts, denied);
  // Apps that do not report may have any number of denials.
  if (silentApps.length > 0) return { kind: "unknown", cause: "reports", apps: silentApps };
  return { kind: "quiet", against };
}

function againstUsual(denied: number, usual: Usual | undefined): AgainstUsual {
  if (!usual) return undefined;
  if (denied > usual.denied.high) return "above";
  return denied < usual.denied.low ? "below" : "usual";
}

function isHigh({ minute, usual }: SituationFacts, denied: number, against: AgainstUsual): boolean {
  if (denied < leastDenied) return false;
  return usual ? against === "above" : denied >= highShare * minute.requests;
}

function highOf(facts: SituationFacts, denied: number): Situation {
  const since = highSince(facts, denied);
  const free = facts.clients.filter(({ isBlocked }) => !isBlocked);
  const strangers = nameMost(facts, free);
  const isAttack = !facts.usual || denied >= attackFactor * facts.usual.denied.high;
  if (strangers && !areAllOfCustomers(strangers) && isAttack) return { kind: "attack", since, ...strangers };
  return { kind: "elevated", since, reason: reasonOf(facts, since, strangers) };
}

function reasonOf(facts: SituationFacts, since: HighSince, named: NamedClients | undefined): ElevatedReason {
  const blocked = nameMost(
    facts,
    facts.clients.filter(({ isBlocked }) => isBlocked),
  );
  if (blocked) return { is: "blocked", ...blocked };
  if (named && areAllOfCustomers(named)) return { is: "customers", customers: customersOf(named), ...named };
  if (named) return { is: "clients", ...named };
  const change = facts.changes.find(
    ({ at, action }) =>
      !since.isEarlier &&
      /^(policy|blocklist|safelist)/.test(action) &&
      at <= since.at + minuteMs &&
      at >= since.at - changeMs,
  );
  return change ? { is: "change", change } : { is: "spread" };
}

const areAllOfCustomers = ({ clients }: NamedClients): boolean =>
  clients.every(({ customers }) => customers !== undefined && customers.length > 0);

/** Each once, in the order of their denials. */
export function customersOf({ clients }: Pick<NamedClients, "clients">): string[] {
  return [...new Set(clients.flatMap(({ customers }) => customers ?? []))];
}

/**
 * The fewest of these clients that cause most denials, and those after them that have a notable share each. If there are none, all
 * of one network that do. Undefined if neither does.
 */
export function nameMost(facts: DenialFacts, clients: readonly DeniedClient[]): NamedClients | undefined {
  const all = facts.recent.denied;
  if (all === 0) return undefined;
  const notable = clients.filter(({ denied }) => denied >= ownShare * all);
  return named(facts, notable) ?? named(facts, largestNetwork(clients));
}

function named(facts: DenialFacts, clients: readonly DeniedClient[]): NamedClients | undefined {
  const sum = sumOf(clients);
  if (clients.length === 0 || sum < mostShare * facts.recent.denied) return undefined;
  return { clients, share: shareOf(facts, sum), network: networkOf(clients) };
}

function largestNetwork(clients: readonly DeniedClient[]): readonly DeniedClient[] {
  const networks = new Map<number, DeniedClient[]>();
  for (const client of clients)
    if (client.network) madeOnce(networks, client.network.asn, () => []).push(client);
  return [...networks.values()].sort((a, b) => sumOf(b) - sumOf(a))[0] ?? [];
}

/** Rounded down. The share is exact if the denials of all known clients are all denials. */
function shareOf({ recent, clients }: DenialFacts, sum: number): DenialShare {
  const percent = Math.min(100, Math.floor((100 * sum) / recent.denied));
  return { percent, isLeast: sumOf(clients) < recent.denied };
}

function networkOf(clients: readonly DeniedClient[]): string | undefined {
  const [first] = clients;
  if (!first?.network || clients.some(({ network }) => network?.asn !== first.network?.asn)) return undefined;
  const { asn, name } = first.network;
  return name === undefined ? `AS${asn}` : `AS${asn} ${name}`;
}

function sumOf(clients: readonly DeniedClient[]): number {
  return clients.reduce((sum, { denied }) => sum + denied, 0);
}

/** The first of the whole minutes, without a gap up to now, with more denials than usual; without a usual rate, than a quarter of now. */
function highSince({ nowMs, usual, deniedMinutes }: SituationFacts, denied: number): HighSince {
  const least = Math.max(leastDenied, usual?.denied.high ?? denied / 4);
  const lastLow = deniedMinutes.findLastIndex(
    ({ perSecond }) => perSecond === undefined || perSecond <= least,
  );
  const first = deniedMinutes[lastLow + 1];
  const before = deniedMinutes[lastLow];
  // The minute that runs, or the one before it, is the first.
  const at = first?.at ?? Math.floor(nowMs / minuteMs) * minuteMs;
  return { at, isEarlier: before?.perSecond === undefined };
}
