import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at } from "../../at.ts";
import { Calendar, type CalendarTerms, calendarOf, isTimeZone, second } from "./model.ts";

const windowOf = (terms: CalendarTerms, moment: string | number) => {
  const calendar = new Calendar(terms);
  const micros = new Date(moment).getTime() * 1_000;
  return [calendar.startAt(micros), calendar.endAt(micros)].map((seconds) =>
    new Date(seconds * 1_000).toISOString().replace(":00.000Z", "Z"),
  );
};
const day = (timeZone: string): CalendarTerms => ({ period: "day", timeZone });
const month = (timeZone: string, startsOn?: number): CalendarTerms => ({
  period: "month",
  timeZone,
  startsOn,
});

describe("a day", () => {
  it.each([
    ["UTC", "2026-11-20T03:00Z", "2026-11-20T00:00Z", "2026-11-21T00:00Z"],
    ["Europe/Berlin", "2026-07-01T23:00Z", "2026-07-01T22:00Z", "2026-07-02T22:00Z"],
    // 23 and 25 hours.
    ["Europe/Berlin", "2026-03-29T12:00Z", "2026-03-28T23:00Z", "2026-03-29T22:00Z"],
    ["Europe/Berlin", "2026-10-25T12:00Z", "2026-10-24T22:00Z", "2026-10-25T23:00Z"],
    // Half an hour of change.
    ["Australia/Lord_Howe", "2026-04-05T02:00Z", "2026-04-04T13:00Z", "2026-04-05T13:30Z"],
    // There is no midnight: the day begins at 01:00.
    ["Africa/Cairo", "2026-04-24T12:00Z", "2026-04-23T22:00Z", "2026-04-24T21:00Z"],
    ["America/Havana", "2026-03-08T12:00Z", "2026-03-08T05:00Z", "2026-03-09T04:00Z"],
    // Midnight comes twice: the day begins with the first one, and lasts 25 hours.
    ["America/Havana", "2026-11-01T12:00Z", "2026-11-01T04:00Z", "2026-11-02T05:00Z"],
    // At midnight it is 23:00 again: the day before lasts 25 hours.
    ["Africa/Cairo", "2026-10-29T20:30Z", "2026-10-28T21:00Z", "2026-10-29T22:00Z"],
    // The new date comes for a minute, and again an hour later.
    ["America/St_Johns", "2010-11-07T02:30:30Z", "2010-11-06T02:30Z", "2010-11-07T03:30Z"],
    ["America/St_Johns", "2010-11-07T02:45Z", "2010-11-06T02:30Z", "2010-11-07T03:30Z"],
    // A date that never was: the day before ends where the day after begins.
    ["Pacific/Apia", "2011-12-30T09:00Z", "2011-12-29T10:00Z", "2011-12-30T10:00Z"],
    ["Pacific/Kiritimati", "2026-06-01T09:59Z", "2026-05-31T10:00Z", "2026-06-01T10:00Z"],
  ])("in %s at %s begins and ends with its date", (timeZone, moment, start, end) => {
    expect(windowOf(day(timeZone), moment)).toEqual([start, end]);
  });
});

describe("a month", () => {
  it.each([
    [undefined, "2026-11-20T03:00Z", "2026-10-31T23:00Z", "2026-11-30T23:00Z"],
    [15, "2026-11-14T22:59Z", "2026-10-14T22:00Z", "2026-11-14T23:00Z"],
    [15, "2026-11-14T23:00Z", "2026-11-14T23:00Z", "2026-12-14T23:00Z"],
    [31, "2026-02-15T00:00Z", "2026-01-30T23:00Z", "2026-02-27T23:00Z"],
    [31, "2026-03-01T00:00Z", "2026-02-27T23:00Z", "2026-03-30T22:00Z"],
    [30, "2028-02-29T12:00Z", "2028-02-28T23:00Z", "2028-03-29T22:00Z"],
    [29, "2027-02-28T12:00Z", "2027-02-27T23:00Z", "2027-03-28T22:00Z"],
    [31, "2026-04-30T12:00Z", "2026-04-29T22:00Z", "2026-05-30T22:00Z"],
    [2, "2026-01-01T12:00Z", "2025-12-01T23:00Z", "2026-01-01T23:00Z"],
  ])(
    "from day %s at %s lasts until that day, or the last day of a shorter month",
    (startsOn, moment, start, end) => {
      expect(windowOf(month("Europe/Berlin", startsOn), moment)).toEqual([start, end]);
    },
  );
});

/** Midnight of the date on which a window may begin, by what clocks there show just before and at its start. */
function datesAround(timeZone: string, start: number): [before: string, at: string] {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  return [format.format((start - 1) * 1_000), format.format(start * 1_000)];
}

it("fills time without gaps in every time zone, and each window begins with a date", () => {
  const moments = [2024, 2026, 2027, 2028, 2035].flatMap((year, i) =>
    [0, 2, 3, 10].map((m) => Date.UTC(year, m, 1 + 7 * i, 5 * i, 59, 59)),
  );
  const zones = Intl.supportedValuesOf("timeZone");
  expect(zones.length).toBeGreaterThan(400);
  for (const [i, timeZone] of zones.entries())
    for (const terms of [day(timeZone), month(timeZone, 1 + (i % 31))]) {
      const calendar = new Calendar(terms);
      for (const ms of [at(moments, i % moments.length), at(moments, (i + 7) % moments.length)]) {
        const start = calendar.startAt(ms * 1_000);
        const end = calendar.endAt(ms * 1_000);
        expect(start <= ms / 1_000 && ms / 1_000 < end, timeZone).toBe(true);
        expect([calendar.startAt(end * second), calendar.endAt(start * second - 1)], timeZone).toEqual([
          end,
          start,
        ]);
        const [before, date] = datesAround(timeZone, start);
        expect(before < date, `${timeZone}: ${before} then ${date}`).toBe(true);
        if (terms.period === "month") {
          const [year = 0, monthOf = 0, dayOf = 0] = date.split("-").map(Number);
          const last = new Date(Date.UTC(year, monthOf, 0)).getUTCDate();
          expect(dayOf, `${timeZone} ${date}`).toBe(Math.min(terms.startsOn ?? 1, last));
        }
      }
    }
});

it("is the same for a moment, whatever moments were asked for before", () => {
  const terms = fc.record({
    period: fc.constantFrom<CalendarTerms["period"]>("day", "month"),
    timeZone: fc.constantFrom(
      "Europe/Berlin",
      "America/Havana",
      "Africa/Cairo",
      "Asia/Kathmandu",
      "Pacific/Chatham",
    ),
    startsOn: fc.integer({ min: 1, max: 31 }),
  });
  const moment = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(terms, fc.array(moment, { minLength: 2, maxLength: 6 }), (given, moments) => {
      const kept = new Calendar(given);
      for (const one of moments) {
        const micros = one.getTime() * 1_000;
        const fresh = new Calendar(given);
        expect([kept.startAt(micros), kept.endAt(micros)]).toEqual([
          fresh.startAt(micros),
          fresh.endAt(micros),
        ]);
      }
    }),
    { numRuns: 40 },
  );
});

it("is shared by equal terms, and knows the names of time zones", () => {
  expect(calendarOf(month("UTC"))).toBe(calendarOf(month("UTC", 1)));
  expect(calendarOf(month("UTC", 2))).not.toBe(calendarOf(month("UTC", 1)));
  expect(["Europe/Berlin", "UTC", "Mars/Base"].map(isTimeZone)).toEqual([true, true, false]);
});
