import { at, madeOnce } from "../../at.ts";
import { isCustomerId } from "../../enforce/customers/id.ts";
import type { CountedRequest, Plan, Reading, Step } from "../../enforce/limits/plan.ts";
import type { Scales } from "../../enforce/limits/scales.ts";
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
      return [{ ...at(hitters, i), step, reading, ratio: reading.used / step.limit }];
    });
  });
  return { readings, isComplete: answers.every(({ outcome }) => outcome === "weighed") };
}

/** Each client with the level that it is nearest to, or furthest over; the worst first. */
export function worstOf(
  clients: readonly ClientReading[],
  isWanted: (step: Step) => boolean,
): ClientReading[] {
  const worst = new Map<string, ClientReading>();
  for (const client of clients) {
    if (!isWanted(client.step)) continue;
    const name = JSON.stringify(client.name);
    if (client.ratio > (worst.get(name)?.ratio ?? 0)) worst.set(name, client);
  }
  return [...worst.values()].sort((a, b) => b.ratio - a.ratio);
}

/** Clients over a limit first, then those whose limit only another system knows, by their requests; then the others. */
export function worstFirst(clients: readonly ClientReading[]): ClientReading[] {
  const rank = ({ ratio, step }: ClientReading) => (ratio >= 1 ? 2 : Number.isFinite(step.limit) ? 0 : 1);
  return clients.toSorted(
    (a, b) => rank(b) - rank(a) || b.ratio - a.ratio || b.reading.used - a.reading.used,
  );
}

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
  readonly prefixes: readonly number[];
}

/** The levels that count by address. */
function ipPlan({ rules }: Policy): IpPlan {
  const counting = rules.filter(({ client, mode }) => client === "ip" && mode !== "off");
  const parts = counting.flatMap((rule) => stepsOf(rule).map((step) => ({ step, prefix: rule.ipv6Prefix })));
  return { plan: { steps: parts.map(({ step }) => step) }, prefixes: parts.map(({ prefix }) => prefix) };
}

function ipLoad({ plan, prefixes }: IpPlan, text: string): CountedRequest {
  const block = readBlock(text);
  return loadOf(plan, (i) => (block?.family === 6 ? format(masked(block, at(prefixes, i))) : text));
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
    if (rule) known.push({ name: nameOf(counter, rule.client), requests: 0, denied: 0, app: "" });
    else foreign.push(foreignReading(counter, nowMs));
  }
  return { known, foreign };
}

function nameOf({ rule, client }: FixedWindowCounter, counts: Policy["rules"][number]["client"]): HitterName {
  const id = counts === "ip" ? idOfClient(client) : undefined;
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
    ...{ requests: 0, denied: 0, app: "" },
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
