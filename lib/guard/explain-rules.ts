import { askStanding } from "../customers/ask.ts";
import { isCustomerId } from "../customers/id.ts";
import type { Block } from "../ip/block.ts";
import type { Step as PlanStep, Reading, Unweighed, Weighed } from "../limits/plan.ts";
import type { Scales } from "../limits/scales.ts";
import { CompiledPolicy, type Planned } from "../policy/compile.ts";
import type { Mode } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import { saySeconds } from "../policy/words.ts";
import type { Connection } from "../redis/connect.ts";
import type { GuardRequest } from "./guard.ts";
import { nameOf } from "./rate-limit-headers.ts";

/** What one level of a rule has counted, live. */
export interface RuleReading {
  readonly name: string;
  readonly algorithm: PlanStep["algorithm"];
  readonly counts: string;
  readonly used: number;
  readonly limit: number;
  readonly periodSeconds: number;
  readonly resetSeconds: number;
  readonly isOver: boolean;
  readonly isShadowed: boolean;
  readonly isDeciding: boolean;
  readonly says: string;
}

export interface RulesRead {
  readonly mode: Mode;
  readonly planned: Planned;
  readonly weighed: Weighed | Unweighed;
}

/** The rules as Redis has them, for whoever is no node: what they would count for this request, and have counted. */
export async function readRules(
  { redis, scales, app }: { redis: Connection; scales: Scales; app: string },
  request: Omit<GuardRequest, "ip">,
  client: Block,
): Promise<RulesRead> {
  const { policy } = await readPolicy(redis);
  const { customerId } = request;
  const id = customerId !== undefined && isCustomerId(customerId) ? customerId : undefined;
  const standing = id && (await askStanding(redis, id));
  const planned = new CompiledPolicy(policy, { app }).planFor(request, client, id, standing);
  return { mode: policy.mode, planned, weighed: await scales.read(planned) };
}

/**
 * Each level of each rule that the request meets, in the order in which they are weighed. Where the request does not come so
 * far, none decides.
 */
export function explainRules(
  { planned, weighed }: RulesRead,
  { isReached } = { isReached: true },
): RuleReading[] {
  if (weighed.outcome === "unweighed") return [];
  const { plan, clients, costs } = planned;
  return plan.steps.flatMap((step, i) => {
    const reading = weighed.readings[i];
    if (!reading) return [];
    const isDeciding = isReached && i === weighed.deniedBy;
    const resetSeconds = Math.ceil(reading.resetMs / 1_000);
    const name = nameOf(step, plan);
    const counts = clients[i] ?? "";
    const says = weighed.trouble.includes(i)
      ? `${name} cannot be weighed: its counter holds something that is not ours.`
      : say(step, reading, { name, counts, cost: costs[i] ?? 1, resetSeconds, isReached });
    const { algorithm, limit, periodSeconds, isShadowed } = step;
    const { used, isOver } = reading;
    const numbers = { used, limit, periodSeconds, resetSeconds, isOver, isShadowed, isDeciding };
    return [{ name, algorithm, counts, ...numbers, says }];
  });
}

interface Told {
  readonly name: string;
  readonly counts: string;
  readonly cost: number;
  readonly resetSeconds: number;
  readonly isReached: boolean;
}

function say(step: PlanStep, { used, isOver }: Reading, told: Told): string {
  const { name, counts, cost, resetSeconds, isReached } = told;
  const isRate = step.algorithm === "earrrl";
  const quota = isRate
    ? `${used.toPrecision(3)}/s of ${step.limit}/s (half-life ${saySeconds(step.periodSeconds)})`
    : `${Math.floor(used)} of ${step.limit} per ${saySeconds(step.periodSeconds)}`;
  const price = cost === 1 ? "" : `, this request costs ${cost}`;
  const fact = `${name}: ${quota} for ${counts}${price}`;
  if (!isOver) return `${fact}.`;
  const wait = isRate ? `clears in ${resetSeconds} s` : `for another ${resetSeconds} s`;
  if (step.isShadowed) return `${fact}: would be denied ${wait}, but the rule only watches.`;
  return `${fact}: ${isReached ? "denied" : "would be denied"}, ${wait}.`;
}
