import { z } from "zod";
import { parseObject } from "../../parse-object.ts";
import { usualOf } from "../stats/usual.ts";

/** One second of an app. Undefined while no node has reported it. */
export type CountedSecond = { readonly requests: number; readonly denied: number } | undefined;

/** What is known of an app's denials. */
export interface AppRates {
  /** Complete seconds, the newest last. */
  readonly seconds: readonly CountedSecond[];
  /** The highest usual rate of denials at this hour of the day. Undefined while nothing is usual. */
  readonly usualHigh: number | undefined;
  /** Denials per second of earlier whole minutes of the last hour. Undefined where it is unknown. */
  readonly earlier: readonly (number | undefined)[];
}

const schema = z.object({
  /** Ms */
  since: z.number(),
  /** Denials per second from which it began. */
  threshold: z.number(),
  /** Ms: since when denials are low again. Null while they are high. */
  calmSince: z.number().nullable(),
  /** The last time that anything was known. */
  knownAt: z.number(),
  title: z.string(),
  text: z.string(),
});
/** An attack that goes on. */
export type OngoingAttack = z.output<typeof schema>;

/** What was remembered, by app. */
export function parseAttacks(text: string | undefined): Map<string, OngoingAttack> {
  const found = Object.entries(parseObject(text ?? "") ?? {}).flatMap(([app, value]) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? [[app, parsed.data] as const] : [];
  });
  return new Map(found);
}

/** With fewer denials per second, nothing is an attack. */
const leastDenied = 1;
/** An attack has this many times the highest usual rate. */
const attackFactor = 3;
/** Without a usual rate, this share of all requests is high, too. */
const highShare = 0.1;
/** Without that many known minutes of the last hour, their rate is no measure. */
const leastMinutes = 20;
/** Seconds in which an attack shows. Fewer known ones, or fewer denials in them, may be chance. */
const beginSeconds = 6;
const leastKnown = 4;
const leastInBegin = 10;
/** It is calm once these seconds are under half of the threshold, until they are over all of it. */
const calmSeconds = 10;
/** It ends after so long. */
export const calmMs = 5 * 60_000;
/** Without a report for so long, it is over. */
const silentMs = 60 * 60_000;

/** Denials per second from which an attack begins. */
export function thresholdOf({ seconds, usualHigh, earlier }: AppRates): number {
  if (usualHigh !== undefined) return Math.max(leastDenied, attackFactor * usualHigh);
  const minutes = earlier.filter((rate) => rate !== undefined);
  const measured = minutes.length >= leastMinutes ? attackFactor * usualOf(minutes).high : 0;
  const known = seconds.slice(-beginSeconds).filter((second) => second !== undefined);
  const requests = known.reduce((sum, second) => sum + second.requests, 0) / Math.max(1, known.length);
  return Math.max(leastDenied, measured, highShare * requests);
}

/** Denials per second of the seconds in which an attack shows. Undefined if none does. */
export function beginOf(
  rates: AppRates,
): { readonly perSecond: number; readonly threshold: number } | undefined {
  const threshold = thresholdOf(rates);
  const known = knownOf(rates, beginSeconds);
  const { sum, perSecond } = withoutHighest(known);
  if (known.length < leastKnown || sum < leastInBegin || perSecond < threshold) return undefined;
  // Where the first of the seconds are from before it, the highest shows its rate.
  return { perSecond: Math.max(...known), threshold };
}

/** The attack after these seconds. */
export function continued(attack: OngoingAttack, rates: AppRates, now: number): OngoingAttack {
  const known = knownOf(rates, calmSeconds);
  if (known.length === 0) return attack;
  const { perSecond } = withoutHighest(known);
  const { threshold, calmSince: before } = attack;
  const calm = perSecond < threshold / 2 ? (before ?? now) : before;
  return { ...attack, knownAt: now, calmSince: perSecond >= threshold ? null : calm };
}

function knownOf({ seconds }: AppRates, most: number): number[] {
  return seconds.slice(-most).flatMap((second) => (second === undefined ? [] : [second.denied]));
}

/** Denials without those of the highest second: a burst of one second is no attack. */
function withoutHighest(denied: readonly number[]): { readonly sum: number; readonly perSecond: number } {
  const sum = denied.reduce((all, count) => all + count, 0) - Math.max(0, ...denied);
  return { sum, perSecond: sum / Math.max(1, denied.length - 1) };
}

/** How the attack has ended. Undefined while it goes on. */
export function endOf({ calmSince, knownAt, threshold }: OngoingAttack, now: number): string | undefined {
  if (now - knownAt >= silentMs) return "Nodes of the app have not reported for 1 h";
  if (calmSince === null || now - calmSince < calmMs) return undefined;
  return `Denials were under ${rateText(threshold / 2)} per s for 5 min`;
}

/** A rate with as many digits as say something. */
export function rateText(perSecond: number): string {
  const digits = perSecond < 10 ? 1 : 0;
  return perSecond.toLocaleString("en-US", { minimumFractionDigits: 0, maximumFractionDigits: digits });
}
