import { expect, it } from "vitest";
import type { CustomerReplay, ReplayLevel, ReplaySums } from "@/lib/queries/customer-day.ts";
import { windowsOf } from "../verdict/windows-table.tsx";
import { replayBars } from "./replay-bars.ts";
import { notesOf, outcomeOf } from "./replay-words.ts";

const level = (limit: number, peak: number, more: Partial<ReplayLevel> = {}): ReplayLevel => ({
  ...{ rule: "req/customer", periodSeconds: 3_600, isShadowed: false, denied: 0, windows: 0 },
  ...{ limit, peak, ...more },
});
const replayed = (more: Partial<ReplaySums> = {}): ReplaySums => ({
  ...{ requests: 6_060, denied: 0, windows: 0, shadowed: 0, levels: [level(1_000, 948)] },
  ...more,
});
const free = replayed({
  denied: 4_102,
  windows: 9,
  levels: [level(100, 948, { denied: 4_102, windows: 9 })],
});

it("says how many would have been denied, and in how many windows", () => {
  const text = "of 6,060 requests would have been denied, in 9 windows";
  expect(outcomeOf(free, "enforce")).toEqual({ over: 4_102, tone: "throttled", text });
  expect(outcomeOf(replayed(), "enforce")).toMatchObject({ over: 0, tone: "pass" });
  expect(outcomeOf(replayed({ levels: [] }), "enforce").text).toBe("no level counts the 6,060 requests");
  expect(outcomeOf(replayed({ requests: 0 }), "enforce").text).toBe("no requests");
});

it("calls nothing denied while the policy does not enforce", () => {
  expect(outcomeOf({ ...free, shadowed: 5 }, "shadow")).toMatchObject({ over: 4_107, tone: "shadow" });
  expect(outcomeOf(free, "off").text).toContain("the policy does not enforce");
});

it("notes what came near a limit, what else would fit, and what the numbers cannot tell", () => {
  const replay: CustomerReplay = {
    ...{
      asOf: 0,
      mode: "enforce",
      hours: [],
      knownMinutes: 1_440,
      before: free,
      after: replayed({ shadowed: 3 }),
    },
    ...{ fitting: ["pro", "enterprise"], leftOut: ["rate/customer"], narrower: ["req/customer"] },
  };
  const notes = notesOf(replay, { isWanted: true, isCustom: true });
  expect(notes.slice(0, 5)).toEqual([
    "The busiest 1 h reached 95% of the limit.",
    "Pro or Enterprise would deny none of these requests.",
    "Rules in shadow would have denied 3 of those that pass.",
    "Left out, because it depends on the exact time of each request: rate/customer.",
    "req/customer leaves some requests out, by path, method or app. The replay includes all requests.",
  ]);
  expect(notesOf(replay, { isWanted: false, isCustom: false })).toHaveLength(3);
});

it("puts windows side by side, with the rule's name where there are several", () => {
  const after = [level(10, 3, { periodSeconds: 60 }), level(1_000, 948)];
  expect(windowsOf(free.levels, after).map(({ name, before }) => [name, before?.limit])).toEqual([
    ["1 min", undefined],
    ["1 h", 100],
  ]);
  const another = level(5, 948, { rule: "other" });
  expect(windowsOf([...free.levels, another], []).map(({ name }) => name)).toEqual([
    "1 h, req/customer",
    "1 h, other",
  ]);
});

it("draws what would change, and no layer of which there is nothing", () => {
  const hours = [
    { at: 0, requests: 10, before: 6, after: 2 },
    { at: 3_600_000, requests: 4, before: 0, after: 0 },
  ];
  const { layers, bars } = replayBars(hours, true);
  expect(layers.map(({ name }) => name)).toEqual([
    "Passes either way",
    "Denied either way",
    "Denied before, would pass",
  ]);
  expect(bars.map(({ values }) => values)).toEqual([
    [4, 2, 4],
    [4, 0, 0],
  ]);
  expect(replayBars(hours, false).bars[0]?.values).toEqual([4, 6]);
});
