import { expect, it } from "vitest";
import { added, sayEntries, sayLost, sayRestored } from "./loss-words.ts";

const lost = { at: "2030-01-01T00:00:00.000Z", safelist: 318, blocklist: 1204, neverBlock: 0 };

it("names what the console still holds", () => {
  expect(sayLost(lost)).toBe("1,204 blocked and 318 safelisted addresses");
  expect(sayLost({ ...lost, safelist: 0, blocklist: 1 })).toBe("1 blocked address");
  expect(sayLost({ ...lost, blocklist: 0, safelist: 2 })).toBe("2 safelisted addresses");
  expect(sayEntries(lost)).toBe("1,522 entries");
  const ranges = { ...lost, safelist: 0, blocklist: 0, neverBlock: 1 };
  expect([sayLost(ranges), sayEntries(ranges)]).toEqual(["1 protected range", "1 protected range"]);
  expect(sayRestored({ done: 1, skippedCount: 0 })).toBe("1 entry restored.");
  expect(sayRestored({ done: 1_500, skippedCount: 22 })).toBe("1,500 entries restored, 22 skipped:");
});

it("adds up the results of several calls, and drops the failure of an earlier one", () => {
  const start = { change: null, done: 0, skipped: [], skippedCount: 0, left: 0, isUnderWay: true };
  const skipped = Array.from({ length: 70 }, (_, i) => ({ address: String(i), message: "x" }));
  const part = { change: 7, done: 20_000, skipped, skippedCount: 70, left: 5 };
  const first = added({ ...start, problem: "Redis stopped" }, part);
  const both = added(first, { ...part, change: null, done: 5, left: 0 });
  expect(both).toMatchObject({ change: 7, done: 20_005, skippedCount: 140, left: 0, isUnderWay: true });
  expect(both.skipped).toHaveLength(100);
  expect(both).not.toHaveProperty("problem");
});
