import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Schedule } from "../../redis/schedule.ts";
import { CountersHealth, openStore } from "./counters.ts";
import { OutageLog } from "./status.ts";

const fiveMinutesMs = 5 * 60_000;
let lines: string[];
const log = (line: string) => lines.push(line);

beforeEach(() => {
  lines = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it("logs an outage at its beginning, with its present cause every five minutes, and at its end", () => {
  let cause = "Nothing listens.";
  const outage = new OutageLog(new Schedule(), log, {
    begin: () => cause,
    end: () => "Redis answers again.",
  });
  outage.begin();
  outage.begin();
  vi.advanceTimersByTime(1_000);
  expect(lines).toEqual(["Nothing listens."]);
  cause = "The password is wrong.";
  vi.advanceTimersByTime(2 * fiveMinutesMs);
  expect(lines.slice(1)).toEqual([
    "The password is wrong. This has lasted 5 min.",
    "The password is wrong. This has lasted 10 min.",
  ]);
  outage.end();
  vi.advanceTimersByTime(2 * fiveMinutesMs);
  expect(lines.slice(3)).toEqual(["Redis answers again."]);
});

it("logs nothing of a connection that is back at once", () => {
  const outage = new OutageLog(new Schedule(), log, { begin: () => "away", end: () => "back" });
  outage.begin();
  vi.advanceTimersByTime(100);
  outage.end();
  vi.advanceTimersByTime(fiveMinutesMs);
  expect(lines).toEqual([]);
});

function countersHealth(): CountersHealth {
  const schedule = new Schedule();
  const store = openStore("memory:", { schedule, nodes: () => 1 });
  return new CountersHealth({ store, schedule, log, isLoggedAlready: () => false });
}

it("logs an outage of the counters again every five minutes, until they answer", () => {
  const counters = countersHealth();
  counters.noteUnavailable({ outcome: "unweighed", reason: "refused", message: "OOM command not allowed" });
  vi.advanceTimersByTime(1_000);
  const line =
    "sluice: The counters are unavailable. OOM command not allowed. Each rule does what its onStoreError says.";
  expect(lines).toEqual([line]);
  vi.advanceTimersByTime(2 * fiveMinutesMs);
  expect(lines).toEqual([line, line, line]);
  counters.noteAnswered();
  vi.advanceTimersByTime(2 * fiveMinutesMs);
  expect(lines.slice(3)).toEqual(["sluice: The counters answer again."]);
});
