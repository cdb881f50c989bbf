import type { Reading, Step } from "../limits/plan.ts";

/**
 * One way of counting without Redis: for counters of this process, for the Lab, and as what tests compare the Lua script with.
 * Times are whole microseconds, so that windows are exact.
 *
 * A peek finds one number or two, the same ones that the script replies. `read` derives everything else from them.
 */
export interface Model<State> {
  peek(state: State | undefined, step: Step, cost: number, nowMicros: number): Found;
  /**
   * The state after a hit that is charged. A state has one owner and may be changed in place.
   * @param hold the name by which what it holds is released
   */
  charge(state: State | undefined, step: Step, cost: number, nowMicros: number, hold?: string): State;
  read(found: Found, step: Step, cost: number, nowMicros: number): Reading;
  /** The state without the newest charge of that cost. Undefined if it does not hold as much. Left out where a charge is final. */
  uncharge?(state: State, step: Step, cost: number, nowMicros: number): State | undefined;
  /** The state with less of the charge of that moment. Undefined if it does not hold as much. As `uncharge` where left out. */
  lower?(state: State, step: Step, amount: number, atMicros: number): State | undefined;
}

/** The numbers of a peek; the second is 0 where the algorithm needs one alone. */
export type Found = readonly [number, number];

/** The cost by which a request is judged. A request of cost 0 asks whether one of cost 1 would pass. */
export const judgedCost = (cost: number): number => Math.max(1, cost);

export const second = 1_000_000;

export const periodOf = (step: Step): number => step.periodSeconds * second;

export const millis = (micros: number): number => Math.max(0, Math.ceil(micros / 1_000));

/** The window of the clock, or of the calendar, that a moment is in: a number that grows from one to the next. */
export const windowAt = (step: Step, nowMicros: number): number =>
  step.calendar ? step.calendar.startAt(nowMicros) : Math.floor(nowMicros / periodOf(step));

export const windowStart = (step: Step, nowMicros: number): number =>
  step.calendar ? step.calendar.startAt(nowMicros) * second : nowMicros - (nowMicros % periodOf(step));

export const windowEnd = (step: Step, nowMicros: number): number =>
  step.calendar ? step.calendar.endAt(nowMicros) * second : windowStart(step, nowMicros) + periodOf(step);

/** Days, or months from a day of theirs on, in a time zone. */
export interface CalendarTerms {
  readonly period: "day" | "month";
  readonly timeZone: string;
  /** The day of the month, 1 unless given. In a month without it, the last day. */
  readonly startsOn?: number | undefined;
}

/**
 * Windows of the calendar. A day begins with the first moment of its date: at 01:00 where a change of the clock leaves midnight
 * out, and once where midnight comes twice. The window of the last call is kept.
 */
export class Calendar implements CalendarTerms {
  readonly period: CalendarTerms["period"];
  readonly timeZone: string;
  readonly startsOn: number;
  readonly #format: Intl.DateTimeFormat;
  #start = 0;
  #end = 0;

  constructor({ period, timeZone, startsOn = 1 }: CalendarTerms) {
    this.period = period;
    this.timeZone = timeZone;
    this.startsOn = startsOn;
    const digits = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
    const date = { year: "numeric", month: "numeric", day: "numeric" } as const;
    this.#format = new Intl.DateTimeFormat("en-US", { timeZone, calendar: "gregory", ...date, ...digits });
  }

  /** In seconds since the epoch. */
  startAt(nowMicros: number): number {
    this.#turnTo(nowMicros);
    return this.#start;
  }

  endAt(nowMicros: number): number {
    this.#turnTo(nowMicros);
    return this.#end;
  }

  #turnTo(nowMicros: number): void {
    const now = Math.floor(nowMicros / second);
    if (now >= this.#start && now < this.#end) return;
    const local = new Date(this.#localSeconds(now) * 1_000);
    const year = local.getUTCFullYear();
    const month = local.getUTCMonth();
    const isDay = this.period === "day";
    const first = isDay
      ? local.getUTCDate()
      : month - (local.getUTCDate() < this.#dayIn(year, month) ? 1 : 0);
    const begin = (index: number) =>
      isDay
        ? this.#firstSecondOf(Date.UTC(year, month, index))
        : this.#firstSecondOf(Date.UTC(year, index, this.#dayIn(year, index)));
    // Where a clock goes back over midnight a minute after it, the new date comes, goes, and comes again: it begins once.
    const index = now < begin(first) ? first - 1 : now < begin(first + 1) ? first : first + 1;
    this.#start = begin(index);
    this.#end = begin(index + 1);
  }

  #dayIn(year: number, month: number): number {
    return Math.min(this.startsOn, new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  }

  /** @param midnight of a date, as if it were UTC */
  #firstSecondOf(midnight: number): number {
    const wanted = midnight / 1_000;
    let before = wanted - furthestSeconds;
    let found = wanted + furthestSeconds;
    while (found - before > 1) {
      const middle = Math.floor((before + found) / 2);
      if (this.#localSeconds(middle) >= wanted) found = middle;
      else before = middle;
    }
    return found;
  }

  /** What clocks show there, as if it were UTC. */
  #localSeconds(seconds: number): number {
    const parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
    for (const { type, value } of this.#format.formatToParts(seconds * 1_000))
      if (type in parts) parts[type as keyof typeof parts] = Number(value);
    const { year, month, day, hour, minute } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, parts.second) / 1_000;
  }
}

/** No clock is further from UTC than 14 hours. */
const furthestSeconds = 26 * 3_600;
const mostCalendars = 1_000;
const calendars = new Map<string, Calendar>();

/** Equal terms share one, because what formats its dates is large. */
export function calendarOf(terms: CalendarTerms): Calendar {
  const name = `${terms.period} ${terms.startsOn ?? 1} ${terms.timeZone}`;
  const known = calendars.get(name);
  if (known) return known;
  if (calendars.size >= mostCalendars) calendars.clear();
  const made = new Calendar(terms);
  calendars.set(name, made);
  return made;
}

/** Whether this process knows the time zone: its data may be older than the policy. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
