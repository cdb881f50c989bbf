import { at } from "../../at.ts";
import { isRate } from "../algorithms/algorithms.ts";
import type { Plan, Reading, Step } from "../limits/plan.ts";
import { namedStepsOf } from "./verdict.ts";

type Headers = Readonly<Record<string, string>>;

/** How a guard's verdicts say what is left: by the IETF's draft, by the older `X-RateLimit-*`, or not at all. */
export const headerDialects = ["draft", "x-ratelimit", "none"] as const;
export type HeaderDialect = (typeof headerDialects)[number];

/** Makes the headers of a verdict. */
export type HeaderWriter = typeof rateLimitHeaders;

export function headerWriter(dialect: HeaderDialect): HeaderWriter {
  return { draft: rateLimitHeaders, "x-ratelimit": olderHeaders, none: noHeaders }[dialect];
}

const noHeaders: HeaderWriter = () => ({});

/** `X-RateLimit-Limit`, `-Remaining` and `-Reset` of the tightest quota. The reset is a time in seconds since 1970. */
const olderHeaders: HeaderWriter = (plan, readings, costs, isDenied = false) => {
  let tightest: { limit: number; remaining: number; untilMs: number } | undefined;
  for (const { place, step } of quotasOf(plan).all) {
    const reading = readings[place];
    if (!reading) continue;
    const cost = isDenied ? 0 : (costs[place] ?? 1);
    const remaining = remainingOf(step, reading, cost);
    const untilMs = untilMoreMs(step, reading, cost);
    const isTighter = !tightest || remaining < tightest.remaining;
    // Of two that are used up, the one that lasts longer.
    const isLonger = tightest?.remaining === remaining && untilMs > tightest.untilMs;
    if (isTighter || isLonger) tightest = { limit: step.limit, remaining, untilMs };
  }
  if (!tightest) return {};
  return {
    "x-ratelimit-limit": String(tightest.limit),
    "x-ratelimit-remaining": String(tightest.remaining),
    "x-ratelimit-reset": String(Math.ceil((Date.now() + tightest.untilMs) / 1_000)),
  };
};

/** A quota in force: a step that the headers name. */
interface Quota {
  readonly place: number;
  readonly step: Step;
  readonly name: string;
  readonly policy: string;
}

interface Quotas {
  readonly all: readonly Quota[];
  /** All of them as RateLimit-Policy has them. */
  readonly policy: string;
  /** All of them always fit. */
  readonly areFew: boolean;
}

/** A quota, and what is left of it. */
interface QuotaLeft {
  readonly quota: Quota;
  readonly remaining: number;
  readonly limit: string;
}

const known = new WeakMap<Plan, Quotas>();

/** More says nothing new to a client. */
const mostQuotas = 8;
/** Characters of both headers together: a proxy in front may reserve 4 kB for all headers of an answer. */
const mostText = 1_450;
/** Digits of `t`: the longest period is a year. */
const longestWait = 9;

/**
 * What draft-ietf-httpapi-ratelimit-headers-10 defines: each quota in force, and what is left of it. Where they are
 * too many, only the tightest, these first. A rate has no quota, and a rule in shadow is not shown.
 */
export function rateLimitHeaders(
  plan: Plan,
  readings: readonly Reading[],
  costs: readonly number[],
  isDenied = false,
): Headers {
  const { all, policy, areFew } = quotasOf(plan);
  if (policy === "") return {};
  const quotas: QuotaLeft[] = [];
  let left = "";
  for (const quota of all) {
    const { place, step, name } = quota;
    const reading = readings[place];
    if (!reading) continue;
    const cost = isDenied ? 0 : (costs[place] ?? 1);
    const remaining = remainingOf(step, reading, cost);
    const limit = `"${name}";r=${remaining};t=${Math.ceil(untilMoreMs(step, reading, cost) / 1_000)}`;
    if (areFew) left += left === "" ? limit : separator + limit;
    else quotas.push({ quota, remaining, limit });
  }
  if (!areFew) return headersOf(tightest(quotas));
  return left === "" ? { "ratelimit-policy": policy } : { "ratelimit-policy": policy, ratelimit: left };
}

const separator = ", ";

function headersOf(quotas: readonly QuotaLeft[]): Headers {
  return {
    "ratelimit-policy": quotas.map(({ quota }) => quota.policy).join(separator),
    ratelimit: quotas.map(({ limit }) => limit).join(separator),
  };
}

function tightest(quotas: readonly QuotaLeft[]): readonly QuotaLeft[] {
  const sorted = quotas.toSorted((one, other) => one.remaining - other.remaining).slice(0, mostQuotas);
  let length = 0;
  return sorted.filter(({ quota, limit }) => {
    length += quota.policy.length + limit.length + 2 * separator.length;
    return length <= mostText;
  });
}

/**
 * `t`: until additional quota is available. A leaky meter gives one back after the other, `sliding` as its earlier window
 * fades, all others at once.
 */
function untilMoreMs(step: Step, reading: Reading, cost: number): number {
  const { used, isOver, resetMs, windows } = reading;
  if (isOver) return resetMs;
  const counted = used + cost;
  const fewer = Math.ceil(counted) - 1;
  const periodMs = step.periodSeconds * 1_000;
  if (windows) {
    const [current, previous] = windows;
    const kept = current + cost;
    if (counted === 0) return 0;
    // The earlier window fades within this one. What this one holds fades within the next.
    return fewer >= kept
      ? Math.round(((counted - fewer) * periodMs) / previous)
      : Math.round(resetMs + periodMs - (periodMs * fewer) / kept);
  }
  if (step.algorithm !== "gcra") return resetMs;
  return counted === 0 ? 0 : Math.round(((counted - fewer) * periodMs) / step.limit);
}

/** What is left once the request itself is counted; a denied one is not. */
export function remainingOf({ limit }: Step, { used, isOver }: Reading, cost: number): number {
  return Math.max(0, Math.floor(limit - used - (isOver ? 0 : cost)));
}

function quotasOf(plan: Plan): Quotas {
  const found = known.get(plan);
  if (found) return found;
  const all = plan.steps.flatMap((step, place) => {
    if (!isQuota(step)) return [];
    const { name } = at(namedStepsOf(plan), place);
    // Days and months of a calendar are not all of one length.
    const window = step.calendar ? "" : `;w=${step.periodSeconds}`;
    return [{ place, step, name, policy: `"${name}";q=${step.limit}${window}` }];
  });
  const policy = all.map((quota) => quota.policy).join(separator);
  const longest = all.reduce((sum, { name, step }) => sum + name.length + String(step.limit).length, 0);
  const length = policy.length + longest + all.length * (`"";r=;t=${separator}`.length + longestWait);
  const made = { all, policy, areFew: all.length <= mostQuotas && length <= mostText };
  known.set(plan, made);
  return made;
}

function isQuota({ algorithm, isShadowed }: Step): boolean {
  return !isRate(algorithm) && !isShadowed;
}
