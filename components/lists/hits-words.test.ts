import { expect, it } from "vitest";
import { dayHitsText, hitsIn, hitsText, sayEntryHits, sayKnownHits } from "./hits-words.ts";

const at = Date.UTC(2026, 10, 18, 14, 10);

it("writes 0 where no hit is known, and a dash where hits are unknown", () => {
  expect([8_402, 0, null, undefined].map(hitsText)).toEqual(["8,402", "0", "–", "–"]);
  expect(dayHitsText({ hour: 4, day: 1_204, recent: [] })).toBe("1,204 in 24 h");
  expect(dayHitsText({ hour: 0, day: null, recent: [] })).toBe("– in 24 h");
  expect(dayHitsText({ hour: null, day: null, recent: [] })).toBe("");
  expect(dayHitsText(undefined)).toBe("");
  expect([1, 0, null].map((hour) => hitsIn({ hour, day: null, recent: [] }))).toEqual([
    "1 hit in 1 h",
    "0 hits in 1 h",
    "hits unknown",
  ]);
});

it("says what hits leave out, and since when they are known", () => {
  const whole = { isReported: true, since: null, unknown: { hour: 0, day: 0 } };
  expect(sayKnownHits(whole, "at")).toBe(
    "Hits are requests that nodes decided by the entry, for the 1,000 busiest entries: none of an edge, of other systems or of the console.",
  );
  expect(sayKnownHits(whole, "hits")).toMatch(/^Sorted by hits of the last hour, then by address\. Hits are/);
  expect(sayKnownHits({ ...whole, since: at, unknown: { hour: 0, day: 1_204 } }, "at")).toMatch(
    / Known since 18 Nov 14:10 UTC\. Of 1,204 more requests in 24 h the entry is unknown\.$/,
  );
  expect(sayKnownHits({ ...whole, isReported: false }, "at")).toMatch(
    / No app reports, so they are unknown\.$/,
  );
  expect(sayKnownHits(undefined, "at")).toMatch(/ They could not be read\.$/);
});

it("says the hits of one entry", () => {
  const hits = { hour: 904, day: 8_402, recent: [], since: null };
  expect(sayEntryHits(hits)).toBe("Hits: 904 in the last hour, 8,402 in 24 h.");
  expect(sayEntryHits({ ...hits, hour: 0, since: at })).toBe(
    "Hits: 0 in the last hour, 8,402 in 24 h, known since 18 Nov 14:10 UTC.",
  );
  expect(sayEntryHits({ ...hits, hour: null, day: null })).toBe("Hits unknown.");
  expect(sayEntryHits(undefined)).toBe("Hits unknown.");
});
