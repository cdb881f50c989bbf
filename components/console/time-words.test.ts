import { describe, expect, it } from "vitest";
import { endInWords, forHowLong, shareLeft } from "./time-words.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("for how long", () => {
  it.each([
    [null, "permanently"],
    [7 * day, "for 1 week"],
    [14 * day, "for 2 weeks"],
    [10 * day, "for 10 days"],
    [day, "for 24 hours"],
    [2 * day, "for 2 days"],
    [36 * hour, "for 36 hours"],
    [hour, "for 1 hour"],
    [90 * minute, "for 90 minutes"],
    [1_000, "for 1 second"],
  ])("%s is %s", (ms, words) => expect(forHowLong(ms)).toBe(words));
});

describe("what is left", () => {
  it("is a share of the life, as far as that is known", () => {
    expect(shareLeft(1_000 + 6 * hour, day, 1_000)).toBe(0.25);
    expect(shareLeft(10 * day, day, 0)).toBe(1);
    expect(shareLeft(0, day, 5)).toBe(0);
    expect(shareLeft(10, null, 5)).toBeUndefined();
    expect(shareLeft(10, 0, 5)).toBeUndefined();
  });
});

describe("a moment", () => {
  const now = Date.UTC(2031, 2, 21, 14, 32);
  it("is in UTC, with the year when it is another one", () => {
    expect(endInWords(now + 7 * day, now)).toBe("28 Mar, 14:32 UTC");
    expect(endInWords(Date.UTC(2032, 0, 1, 0, 5), now)).toBe("1 Jan 2032, 00:05 UTC");
  });

  it("is named at any distance", () => {
    expect(endInWords(null, now)).toBe("never");
    expect(endInWords(Number.MAX_SAFE_INTEGER, now)).toMatch(/UTC$/);
  });
});
