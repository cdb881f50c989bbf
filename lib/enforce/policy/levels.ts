import * as z from "zod/mini";
import { models } from "../algorithms/algorithms.ts";
import { type CalendarTerms, calendarOf, isTimeZone } from "../algorithms/model.ts";
import type { Step } from "../limits/plan.ts";
import {
  counted,
  decimal,
  largestLimit,
  longestPeriodSeconds,
  mostLevels,
  oneOf,
  problemsOf,
  refusal,
  text,
  whole,
} from "./bounds.ts";
import type { Rule } from "./schema.ts";

const plainSays = "write a level: { limit, periodSeconds }";
/** 0 allows nothing. */
const limit = whole(0, largestLimit);
const period = whole(1, longestPeriodSeconds);
const plainLevel = z.strictObject({ limit, periodSeconds: period }, { error: plainSays });

/** About as long as one of the calendar. No other level of a list may be of the same length. */
export const calendarSeconds = { day: 86_400, month: 2_678_400 } as const;
const timeZoneSays = 'write the name of a time zone: "Europe/Berlin", "UTC"';

const anyLevel = z.pipe(
  z
    .strictObject(
      {
        limit,
        periodSeconds: z.optional(period),
        period: z.optional(oneOf(["day", "month"])),
        timeZone: z.optional(text(/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/, timeZoneSays)),
        startsOn: z.optional(whole(1, 31)),
      },
      { error: `${plainSays} or { limit, period, timeZone }` },
    )
    .check(
      z.superRefine(({ periodSeconds, period: of, timeZone, startsOn }, context) => {
        const say = (field: string, message: string) =>
          context.addIssue({ code: "custom", path: [field], message });
        if (of === undefined) {
          const without = 'leave it out, or write the period: "day" or "month"';
          if (timeZone !== undefined) say("timeZone", without);
          if (startsOn !== undefined) say("startsOn", without);
          if (periodSeconds === undefined)
            say("periodSeconds", `write a whole number from 1 to ${counted(longestPeriodSeconds)}`);
          return;
        }
        if (periodSeconds !== undefined && periodSeconds !== calendarSeconds[of])
          say("periodSeconds", `leave it out: the level is for a ${of} of the calendar`);
        if (of === "day" && startsOn !== undefined)
          say("startsOn", "leave it out: only a month starts on a day");
        if (timeZone !== undefined && !isTimeZone(timeZone)) say("timeZone", timeZoneSays);
      }),
    ),
  z.transform(({ limit, periodSeconds, period, timeZone = "UTC", startsOn }): Level => {
    if (period === undefined) return { limit, periodSeconds: periodSeconds ?? 0 };
    return {
      limit,
      periodSeconds: calendarSeconds[period],
      period,
      timeZone,
      ...(startsOn !== undefined && { startsOn }),
    };
  }),
);

/** A limit, and the period it is for. */
export interface Level {
  readonly limit: number;
  /** Of a day or month of the calendar: about as long as one. */
  readonly periodSeconds: number;
  /** A day or month of the calendar, in a time zone. */
  readonly period?: CalendarTerms["period"] | undefined;
  readonly timeZone?: string | undefined;
  /** The day on which a month starts, 1 unless given; in a month without it, the last day. */
  readonly startsOn?: number | undefined;
}

/** Undefined for a level with a plain period. */
export function termsOf({ period, timeZone, startsOn }: Level): CalendarTerms | undefined {
  return period && timeZone !== undefined ? { period, timeZone, startsOn } : undefined;
}

const fewLevels = [
  z.minLength(1, { error: "write at least one level" }),
  z.maxLength(mostLevels, { error: `at most ${mostLevels} levels fit here` }),
];

const apart = z.superRefine<readonly Level[]>((levels, context) => {
  for (const [i, { periodSeconds }] of levels.entries()) {
    const other = levels.slice(0, i).find((earlier) => isTooNear(earlier.periodSeconds, periodSeconds));
    if (!other) continue;
    const isSame = other.periodSeconds === periodSeconds;
    const why = isSame ? " already" : `, and windows of ${counted(periodSeconds)} s could share its counter`;
    const message = `there is a level of ${counted(other.periodSeconds)} s${why}: keep one of the two`;
    context.addIssue({ code: "custom", path: [i, "periodSeconds"], message });
  }
});

const listSays = "write a list of levels: { limit, periodSeconds }";

/** Those of a rule or a tier. */
export const levelsSchema = z.array(anyLevel, { error: listSays }).check(...fewLevels, apart);

/** Those of one customer, which have no calendar: an override is a hash of period → limit. */
export const plainLevelsSchema = z.array(plainLevel, { error: listSays }).check(...fewLevels, apart);

/** Seconds since the epoch that are past. */
const past = 1.7e9;

/** A fixed window's key has the window's number and not its period: two of almost one length have the same for a while. */
export function isTooNear(one: number, other: number): boolean {
  return (past * Math.abs(one - other)) / (one * other) < 1;
}

const rateSays = `write 0, or a number from 0.000001 to ${counted(1e9)}`;

const rateLevel = z.strictObject(
  {
    limitPerSecond: z
      .number({ error: rateSays })
      .check(z.refine((rate) => rate === 0 || (rate >= 1e-6 && rate <= 1e9), { error: rateSays })),
    halfLifeSeconds: decimal(1, longestPeriodSeconds),
    overageWeight: z._default(decimal(0, 1), 1),
  },
  { error: "write a level: { limitPerSecond, halfLifeSeconds, overageWeight }" },
);

/** A rate, and how fast EARRRL forgets. */
export type RateLevel = Readonly<z.output<typeof rateLevel>>;

export const rateLevelsSchema = z
  .array(rateLevel, { error: "write a list of levels: { limitPerSecond, halfLifeSeconds, overageWeight }" })
  .check(
    ...fewLevels,
    z.superRefine((levels, context) => {
      for (const [i, { halfLifeSeconds }] of levels.entries()) {
        if (levels.findIndex((other) => other.halfLifeSeconds === halfLifeSeconds) === i) continue;
        const message = `there is a level with a half-life of ${halfLifeSeconds} s already: keep one of the two`;
        context.addIssue({ code: "custom", path: [i, "halfLifeSeconds"], message });
      }
    }),
  );

const wish = z.object({ levels: plainLevelsSchema });

/** Levels as a person gave them, or a refusal that names each field. */
export function requireLevels(levels: unknown): Level[] {
  const parsed = wish.safeParse({ levels });
  if (parsed.success) return parsed.data.levels;
  throw refusal("The levels were not saved", problemsOf(parsed.error, "levels"));
}

/** A level of a rule as it is weighed. */
export function stepOf(rule: Rule, level: Level | RateLevel, isShadowed: boolean): Step {
  const { name, algorithm, slack, countWhen, cost } = rule;
  const step = {
    rule: name,
    algorithm,
    isShadowed,
    ...(slack && !isExact(rule) && { slack }),
    ...(countWhen && { countWhen }),
    ...(cost === "request" && { isCorrectable: true }),
  };
  if ("limit" in level) {
    // A policy with such levels for another algorithm is refused.
    const terms = algorithm === "fixed" ? termsOf(level) : undefined;
    const calendar = terms && { calendar: calendarOf(terms) };
    return { ...step, limit: level.limit, periodSeconds: level.periodSeconds, ...calendar, overageWeight: 1 };
  }
  const { limitPerSecond, halfLifeSeconds, overageWeight } = level;
  return { ...step, limit: limitPerSecond, periodSeconds: halfLifeSeconds, overageWeight };
}

/** Whether slack does not fit the rule. A ban must not block a client whose requests the limit lets pass. */
function isExact({ algorithm, ban, onStoreError, countWhen }: Rule): boolean {
  const isCountedLater = models[algorithm].keepsHits || countWhen !== undefined;
  return isCountedLater || ban !== undefined || onStoreError === "closed";
}
