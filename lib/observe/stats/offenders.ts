import { at, madeOnce } from "../../at.ts";
import { isRate, shareUsed } from "../../enforce/algorithms/algorithms.ts";
import { isCustomerId } from "../../enforce/customers/id.ts";
import type { CountedRequest, Plan, Reading, Step } from "../../enforce/limits/plan.ts";
import type { Scales } from "../../enforce/limits/scales.ts";
import { countsAddresses, type NetworkLengths, networkOf } from "../../enforce/policy/client.ts";
import { type CustomerPlan, customerLoad, customerPlan } from "../../enforce/policy/customer-plan.ts";
import { keyText } from "../../enforce/policy/identify.ts";
import { type Level, stepOf } from "../../enforce/policy/levels.ts";
import type { Policy, Rule } from "../../enforce/policy/schema.ts";
import type { HitterName } from "../../enforce/stats/fields.ts";
import { format, masked } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import { readCustomers } from "../../manage/customers/read.ts";
import type { Connection } from "../../redis/connect.ts";
import { idOfClient } from "../../redis/keys.ts";
import type { TopClient } from "./client-counts.ts";
import type { FixedWindowCounter } from "./counter-scan.ts";

/** A client's current count at one level of a rule. */
export interface ClientReading extends TopClient {
  readonly step: Step;
  readonly reading: Reading;
  /** What is used over the limit. */
  readonly ratio: number;
}

export interface ClientReadings {
  readonly readings: ClientReading[];
  /** False if the counters did not answer for a client: then missing readings do not mean that it is below its limits. */
  readonly isComplete: boolean;
}

/** The clients' counts at every level that counts them. Nothing is charged. */
export async function readClientReadings(
  redis: Connection,
  counts: Pick<Scales, "read">,
  policy: Policy,
  hitters: readonly TopClient[],
): Promise<ClientReadings> {
  const loads = await loadsOf(redis, policy, hitters);
  const answers = await Promise.all(loads.map((load) => counts.read(load)));
  const readings = answers.flatMap((answer, i) => {
    if (answer.outcome === "unweighed") return [];
    return at(loads, i).plan.steps.flatMap((step, s) => {
      const reading = at(answer.readings, s);
      if (reading.used === 0 || answer.trouble.includes(s)) return [];
      return [{ ...at(hitters, i), step, reading, ratio: shareUsed(reading.used, step.limit) }];
    });
  });
  return { readings, isComplete: answers.every(({ outcome }) => outcome === "weighed") };
}

/** A client beside its limits. Unknown: without a reading, or if only another system knows the limit. */
export const standings = ["throttled", "shadow", "near", "unknown", "under"] as const;
export type Standing = (typeof standings)[number];

/** A client with the counter and the estimate that are nearest to their limits, or furthest over them. */
export interface RankedClient extends TopClient {
  readonly counter: ClientReading | undefined;
  readonly estimate: ClientReading | undefined;
  readonly standing: Standing;
  /** Until it is below each limit that it is over now, in ms. Undefined if it is over none. */
  readonly clearsMs: number | undefined;
}

/** Near a limit: from this share of it on. */
const nearShare = 0.8;

/** Each client that was denied in the last minute, or that has a reading; the worst first. */
export function rankClients(
  clients: readonly TopClient[],
  readings: readonly ClientReading[],
  foreign: readonly ClientReading[] = [],
): RankedClient[] {
  const byName = new Map<string, ClientReading[]>();
  for (const reading of readings) madeOnce(byName, JSON.stringify(reading.name), () => []).push(reading);
  const known = clients.flatMap((client) => {
    const own = byName.get(JSON.stringify(client.name)) ?? [];
    return own.length === 0 && client.lastMinute.denied === 0 ? [] : [rankedOf(client, own)];
  });
  return worstFirst([...known, ...foreign.map((reading) => rankedOf(reading, [reading]))]);
}

function rankedOf({ name, requests, denied, lastMinute, app }: TopClient, own: readonly ClientReading[]) {
  const worst = own.toSorted((a, b) => Number(isDenying(b)) - Number(isDenying(a)) || b.ratio - a.ratio);
  const over = own.filter(({ reading }) => reading.isOver);
  return {
    ...{ name, requests, denied, lastMinute, app },
    counter: worst.find(({ step }) => !isRate(step.algorithm)),
    estimate: worst.find(({ step }) => isRate(step.algorithm)),
    standing: standingOf(own),
    clearsMs: over.length > 0 ? Math.max(...over.map(({ reading }) => reading.resetMs)) : undefined,
  } satisfies RankedClient;
}

const isDenying = ({ reading, step }: ClientReading) => reading.isOver && !step.isShadowed;

function standingOf(own: readonly ClientReading[]): Standing {
  if (own.length === 0) return "unknown";
  if (own.some(isDenying)) return "throttled";
  if (own.some(({ reading }) => reading.isOver)) return "shadow";
  if (own.some(({ ratio }) => ratio >= nearShare)) return "near";
  return own.some(({ step }) => !Number.isFinite(step.limit)) ? "unknown" : "under";
}

/**
 * By denials in the last minute, because a counter stops at its limit. Then clients over a limit, those whose limit only
 * another system knows, and the others by their share of a limit.
 */
export function worstFirst(clients: readonly RankedClient[]): RankedClient[] {
  const rank = (one: RankedClient) => (ratioOf(one) >= 1 ? 2 : one.standing === "unknown" ? 1 : 0);
  return clients.toSorted(
    (a, b) =>
      b.lastMinute.denied - a.lastMinute.denied ||
      rank(b) - rank(a) ||
      ratioOf(b) - ratioOf(a) ||
      usedOf(b) - usedOf(a),
  );
}

const ratioOf = ({ counter, estimate }: RankedClient) => Math.max(counter?.ratio ?? 0, estimate?.ratio ?? 0);

const usedOf = ({ counter, estimate }: RankedClient) => (counter ?? estimate)?.reading.used ?? 0;

async function loadsOf(
  redis: Connection,
  policy: Policy,
  hitters: readonly TopClient[],
): Promise<CountedRequest[]> {
  const ids = hitters.flatMap(({ name }) =>
    name.kind === "customer" && isCustomerId(name.client) ? [name.client] : [],
  );
  const customers = ids.length > 0 ? await readCustomers(redis, ids) : [];
  const levels = new Map(customers.map(({ id, levels }) => [String(id), levels]));
  const byIp = ipPlan(policy);
  // Loads of one plan are read in one call, so clients with the same levels share a plan.
  const rulePlans = new Map<string, Plan>();
  const customerPlans = new Map<string, CustomerPlan>();
  return hitters.map(({ name }) => {
    if (name.kind === "ip") return ipLoad(byIp, name.client);
    if (name.kind === "rule") {
      const plan = madeOnce(rulePlans, name.rule, () => rulePlan(policy, name.rule));
      return loadOf(plan, () => keyText(name.client));
    }
    const own = levels.get(name.client);
    return customerLoad(
      madeOnce(customerPlans, textOf(own), () => customerPlan(policy, own)),
      name.client,
    );
  });
}

const textOf = (levels: readonly Level[] | undefined): string => JSON.stringify(levels ?? null);

interface IpPlan {
  readonly plan: Plan;
  readonly networks: readonly NetworkLengths[];
}

/** The levels that count by address. */
function ipPlan({ rules }: Policy): IpPlan {
  const counting = rules.filter(({ client, mode }) => countsAddresses(client) && mode !== "off");
  const parts = counting.flatMap((rule) => stepsOf(rule).map((step) => ({ step, network: networkOf(rule) })));
  return { plan: { steps: parts.map(({ step }) => step) }, networks: parts.map(({ network }) => network) };
}

function ipLoad({ plan, networks }: IpPlan, text: string): CountedRequest {
  const block = readBlock(text);
  return loadOf(plan, (i) => {
    const { v4, v6 } = at(networks, i);
    const length = block?.family === 4 ? v4 : v6;
    return block && block.length > length ? format(masked(block, length)) : text;
  });
}

function rulePlan({ rules }: Policy, name: string): Plan {
  const rule = rules.find((one) => one.name === name && one.mode !== "off");
  return { steps: rule ? stepsOf(rule) : [] };
}

function stepsOf(rule: Rule): Step[] {
  if (rule.levels === "tier") return [];
  return rule.levels.map((level) => stepOf(rule, level, rule.mode === "shadow"));
}

function loadOf(plan: Plan, clientAt: (step: number) => string): CountedRequest {
  return { plan, clients: plan.steps.map((_, i) => clientAt(i)), costs: plan.steps.map(() => 1) };
}

/** Splits scanned counters: those of the policy's rules name clients to read; of the others only the count is known. */
export function splitByOwner(
  counters: readonly FixedWindowCounter[],
  { rules }: Policy,
  nowMs: number,
): { known: TopClient[]; foreign: ClientReading[] } {
  const known: TopClient[] = [];
  const foreign: ClientReading[] = [];
  for (const counter of counters) {
    const rule = rules.find(({ name }) => name === counter.rule);
    if (rule) known.push({ name: nameOf(counter, rule.client), ...noRequests });
    else foreign.push(foreignReading(counter, nowMs));
  }
  return { known, foreign };
}

/** A scan of counters knows no requests. */
const noRequests = { requests: 0, denied: 0, lastMinute: { requests: 0, denied: 0 }, app: "" };

function nameOf({ rule, client }: FixedWindowCounter, counts: Policy["rules"][number]["client"]): HitterName {
  const id = countsAddresses(counts) ? idOfClient(client) : undefined;
  if (id !== undefined) return { kind: "customer", client: id };
  if (counts === "ip" || counts === "customer") return { kind: counts, client };
  return { kind: "rule", rule, client };
}

function foreignReading(
  { rule, client, periodSeconds, count }: FixedWindowCounter,
  nowMs: number,
): ClientReading {
  const periodMs = periodSeconds * 1_000;
  return {
    name: { kind: "rule", rule, client },
    ...noRequests,
    step: {
      ...{ rule, periodSeconds, algorithm: "fixed", isShadowed: false, overageWeight: 1 },
      limit: Number.POSITIVE_INFINITY,
    },
    reading: { used: count, resetMs: periodMs - (nowMs % periodMs), isOver: false },
    ratio: 0,
  };
}

/** A value, and when it was read. */
export interface TrendPoint {
  readonly at: number;
  readonly value: number;
}

/** Recent readings of each client, for sparklines. Clients that are no longer read are forgotten. */
export class Trend {
  readonly #kept = new Map<string, TrendPoint[]>();
  readonly #most: number;
  readonly #forgottenAfterMs: number;

  constructor({ most = 300, forgottenAfterMs = 60_000 } = {}) {
    this.#most = most;
    this.#forgottenAfterMs = forgottenAfterMs;
  }

  /** @returns the points kept, oldest first, with this value as the last */
  add(name: string, value: number, nowMs: number): readonly TrendPoint[] {
    const kept = madeOnce(this.#kept, name, () => []);
    const last = kept.at(-1);
    // Two readings at almost the same time are one point.
    if (last && nowMs - last.at < 500) kept[kept.length - 1] = { at: last.at, value };
    else kept.push({ at: nowMs, value });
    if (kept.length > this.#most) kept.shift();
    return [...kept];
  }

  forget(nowMs: number): void {
    for (const [name, kept] of this.#kept)
      if (nowMs - at(kept, kept.length - 1).at > this.#forgottenAfterMs) this.#kept.delete(name);
  }
}
