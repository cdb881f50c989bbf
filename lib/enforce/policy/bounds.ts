import * as z from "zod/mini";

/** What is wrong with a cost that an app gives; undefined for one that can be charged as it is. */
export function costProblem(cost: unknown): string | undefined {
  if (cost === undefined || (isWhole(cost) && cost >= 0 && cost <= largestLimit)) return undefined;
  const given = typeof cost === "number" ? String(cost) : typeof cost;
  return `cost is ${given}: it must be a whole number from 0 to ${counted(largestLimit)}`;
}

/**
 * What is charged for a cost that an app gives. A fraction is rounded up. More than any limit is more than any limit, and
 * denied. What is no amount at all costs what any request does: no client passes uncounted because of it.
 */
export function chargedCost(cost: unknown): number {
  if (typeof cost !== "number" || !(cost >= 0)) return 1;
  return Math.min(Math.ceil(cost), largestLimit + 1);
}

const isWhole = (cost: unknown): cost is number => Number.isInteger(cost);

/** Costs and limits are counted exactly, so they stay far below what a double can tell apart. */
export const largestLimit = 1e12;
export const longestPeriodSeconds = 31_622_400;
export const mostLevels = 8;
export const mostRules = 64;
export const mostTiers = 32;

export function whole(least: number, most: number) {
  const error = `write a whole number from ${counted(least)} to ${counted(most)}`;
  return z.int({ error }).check(z.gte(least, { error }), z.lte(most, { error }));
}

export function decimal(least: number, most: number) {
  const error = `write a number from ${least} to ${counted(most)}`;
  return z.number({ error }).check(z.gte(least, { error }), z.lte(most, { error }));
}

export function oneOf<const T extends readonly string[]>(words: T) {
  return z.enum(words, { error: `write one of ${words.join(", ")}` });
}

export function text(pattern: RegExp, error: string) {
  return z.string({ error }).check(z.regex(pattern, { error }));
}

export function listOf<T extends z.ZodMiniType>(item: T, most: number, what: string) {
  return z
    .array(item, { error: `write a list of ${what}` })
    .check(
      z.minLength(1, { error: `name at least one of the ${what}, or leave the list out` }),
      z.maxLength(most, { error: `at most ${most} ${what} fit here` }),
    );
}

/** 10,000 reads better than 10000. */
export function counted(number: number): string {
  return number.toLocaleString("en-US");
}
