import { at, madeOnce } from "../../at.ts";
import type { ClientAddress } from "../../ip/block.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { isDeniedByHolds, isRate } from "../algorithms/algorithms.ts";
import { readSharedOverrides, readStoredLimits, readStoredTier } from "../customers/stored-limits.ts";
import type { OwnTier } from "../customers/tier.ts";
import type { CountedRequest, Step as PlanStep, Reading, Unweighed, Weighed } from "../limits/plan.ts";
import type { Scales } from "../limits/scales.ts";
import { formatDuration, type Note, readNote } from "../lists/entry.ts";
import { type Caller, withSuspension } from "../policy/client.ts";
import { CompiledPolicy, type Planned } from "../policy/compile.ts";
import { readDigest } from "../policy/identify.ts";
import type { ClientFacts, RequestRuleReading } from "../policy/request-rules.ts";
import type { Policy, Rule } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import { calendarIn, levelOf, sayLevels, sayPeriod, saySeconds } from "../policy/words.ts";
import {
  customerIdOf,
  decideCounted,
  decideUncounted,
  decideWithoutCounters,
  withRuling,
} from "./pipeline.ts";
import type { GuardRequest } from "./request.ts";
import { deciderOf, nameOf, type Verdict } from "./verdict.ts";

/** What one level of a rule has counted, live. */
export interface RuleReading {
  /** The rule's, with the period where the rule has several levels. */
  readonly name: string;
  readonly rule: string;
  readonly algorithm: PlanStep["algorithm"];
  readonly counts: string;
  readonly used: number;
  readonly limit: number;
  readonly periodSeconds: number;
  /** `month in Europe/Berlin`, for a level that counts in a day or month of the calendar. */
  readonly calendar?: string;
  readonly resetSeconds: number;
  readonly isOver: boolean;
  readonly isShadowed: boolean;
  readonly isDeciding: boolean;
  readonly says: string;
}

export interface RulesRead {
  readonly policy: Pick<Policy, "mode" | "messages">;
  /** Why the customer is suspended. Undefined in a guard, which holds no reasons. */
  readonly suspension?: Note | undefined;
  /** As the request names it, also one that is no valid id. */
  readonly customerId: string | undefined;
  /** The customer's tier, where it gives the limits and ends, with what is left of it in ms. */
  readonly endingTier?: OwnTier | undefined;
  /** Rules that could deny or exempt the request. */
  readonly requestRules?: readonly RequestRuleReading[] | undefined;
  readonly planned: Planned;
  readonly weighed: Weighed | Unweighed;
  /** This process' own counters, for rules that use them while the others are away. Undefined outside of a guard. */
  readonly readModel?: (load: CountedRequest) => Weighed;
}

/** What the rules decide by what was read. */
export function decideRules(read: RulesRead): Verdict | Promise<Verdict> {
  return withRuling(decideLimits(read), read.planned.ruling);
}

function decideLimits({ planned, weighed, readModel }: RulesRead): Verdict {
  const uncounted = decideUncounted(planned);
  if (uncounted) return uncounted;
  return weighed.outcome === "weighed"
    ? decideCounted(planned, weighed)
    : decideWithoutCounters(planned, weighed, readModel);
}

/** The rules as Redis has them, outside of a guard: what they would count for this request, and have counted. */
export async function readRules(
  {
    redis,
    scales,
    app,
    facts,
  }: { redis: Connection; scales: Scales; app: string; facts?: ClientFacts | undefined },
  request: Omit<GuardRequest, "ip">,
  client: ClientAddress,
  headersOf?: (policy: Policy) => NonNullable<GuardRequest["headers"]>,
): Promise<RulesRead> {
  const [{ policy }, digest] = await Promise.all([readPolicy(redis), readDigest(redis)]);
  const compiled = new CompiledPolicy(policy, { app, digest, facts });
  const id = customerIdOf(request);
  const stored = id === undefined ? undefined : await readStoredLimits(redis, id);
  const shared = id === undefined ? [] : (await readSharedOverrides(redis)).of(id);
  const caller = id && withSuspension(compiled.callerOf(id, stored, request, shared), id, stored);
  const reason = id && caller?.isSuspended ? await redis.get(keys.suspension(id)) : null;
  const tier = id && caller?.limits?.from === "tier" ? await readStoredTier(redis, id) : undefined;
  const headers = headersOf ? headersOf(policy) : request.headers;
  const asked = { ...request, headers };
  const planned = compiled.planFor(asked, client, caller);
  const { customerId } = request;
  return {
    policy,
    ...(reason && { suspension: readNote(reason) }),
    ...(tier && Number.isFinite(tier.endsAt) && { endingTier: tier }),
    customerId,
    requestRules: compiled.explainRequest(asked, client, caller),
    planned,
    weighed: await scales.read(planned),
  };
}

/** Which limits count the signed-in customer, in a sentence. Empty where the request names none. */
export function sayCaller({
  customerId,
  endingTier,
  planned: { caller },
}: Pick<RulesRead, "customerId" | "endingTier" | "planned">): string {
  if (customerId === undefined) return "";
  if (!caller) return `${JSON.stringify(customerId)} is no customer id, so the request is anonymous.`;
  const { ignored } = caller;
  const without = ignored ? ` What the app gives as its ${ignored.field} is ignored: ${ignored.says}.` : "";
  return `${sayLimits(caller)}${endingTier ? sayTierEnd(endingTier) : ""}${without}`;
}

function sayTierEnd({ endsAt, back }: OwnTier): string {
  const then = back === undefined ? "the customer has no tier of its own" : `tier ${back} follows`;
  return ` That tier ends in ${formatDuration(Math.ceil(endsAt / 1_000) * 1_000)}, then ${then}.`;
}

function sayLimits({ id, limits }: Caller): string {
  switch (limits?.from) {
    case "override":
      return `Customer ${id} has limits of its own.`;
    case "group":
    case "pattern":
      return `Customer ${id} has ${sayLevels(limits.levels)}${limits.tier === undefined ? "" : `, the limits of tier ${limits.tier},`} by ${limits.from} ${limits.name}.`;
    case "session-limits":
      return `Customer ${id} has the limits that the app's session gives.`;
    case "session-tier":
      return `Customer ${id} has the limits of tier ${limits.tier}, from the app's session.`;
    case "tier":
      return `Customer ${id} has the limits of tier ${limits.tier}.`;
    case "default-tier":
      return `Customer ${id} has no tier of the policy, so it has the limits of the default tier, ${limits.tier}.`;
    case undefined:
      return `Customer ${id} has no tier of the policy and no limits of its own, so limits for anonymous clients count it by its id.`;
  }
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
    const name = nameOf(deciderOf(step, plan));
    const counts = at(clients, i);
    const says = weighed.trouble.includes(i)
      ? `${name} cannot be weighed: its counter holds something that is not ours.`
      : say(step, reading, { name, counts, cost: at(costs, i), resetSeconds, isReached });
    const { algorithm, limit, periodSeconds, isShadowed } = step;
    const { used, isOver } = reading;
    const numbers = {
      used,
      limit,
      periodSeconds,
      ...calendarIn(step),
      resetSeconds,
      isOver,
      isShadowed,
      isDeciding,
    };
    return [{ name, rule: step.rule, algorithm, counts, ...numbers, says }];
  });
}

/** A rule with slack, and its levels as they count one client. */
export interface SlackRule {
  readonly rule: Rule;
  readonly steps: readonly PlanStep[];
}

/** How far a rule may be exceeded, and how far it was. */
export interface SlackReading {
  readonly rule: string;
  /** What passed above its limits in the last hour. Undefined if it cannot be read. */
  readonly over: number | undefined;
  readonly says: string;
}

/** The rules of a request that have slack, in their order. */
export function slackRulesOf({ plan, rules }: Planned): SlackRule[] {
  const steps = new Map<Rule, PlanStep[]>();
  for (const [i, rule] of rules.entries())
    if (rule.slack) madeOnce(steps, rule, () => []).push(at(plan.steps, i));
  return [...steps].map(([rule, ofRule]) => ({ rule, steps: ofRule }));
}

interface LevelWords {
  readonly name: string;
  readonly counts: string;
  readonly cost: number;
  readonly resetSeconds: number;
  readonly isReached: boolean;
}

function sayQuota(step: PlanStep, { used, held = 0 }: Reading): string {
  const { algorithm, limit } = step;
  if (algorithm === "concurrent") return `${used} of ${limit} at once`;
  if (isRate(algorithm))
    return `${used.toPrecision(3)}/s of ${limit}/s (half-life ${saySeconds(step.periodSeconds)})`;
  const reserved = held > 0 ? `, ${held} of them reserved` : "";
  return `${Math.floor(used)} of ${limit} per ${sayPeriod(levelOf(step))}${reserved}`;
}

function say(step: PlanStep, reading: Reading, words: LevelWords): string {
  const { name, counts, cost, resetSeconds, isReached } = words;
  const { isOver } = reading;
  const quota = sayQuota(step, reading);
  const price = cost === 1 ? "" : `, this request costs ${cost}`;
  const fact = `${name}: ${quota} for ${counts}${price}`;
  if (!isOver) return `${fact}.`;
  const lasts = isRate(step.algorithm) ? `clears in ${resetSeconds} s` : `for another ${resetSeconds} s`;
  const wait = isDeniedByHolds(step, reading, cost)
    ? `until a request ends, ${resetSeconds} s at the latest`
    : lasts;
  if (step.isShadowed) return `${fact}: would be denied ${wait}, but the rule only watches.`;
  return `${fact}: ${isReached ? "denied" : "would be denied"}, ${wait}.`;
}
