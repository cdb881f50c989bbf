import { expect, it } from "vitest";
import { Pace } from "./pace.ts";

const counted = (counts: Record<string, number>) => ({ counts: new Map(Object.entries(counts)) });

it("tells the mean of the last ten seconds, and nothing of before", () => {
  const pace = new Pace(0);
  for (let at = 1_000; at <= 60_000; at += 1_000) {
    const isBusy = at > 40_000;
    pace.add(counted({ pass: isBusy ? 80 : 1, throttled: isBusy ? 15 : 0, blocked: isBusy ? 5 : 0 }), at);
  }
  expect(pace.read(60_000)).toEqual({ requestsPerSecond: 100, deniedPerSecond: 20 });
  expect(pace.read(65_000)).toEqual({ requestsPerSecond: 50, deniedPerSecond: 10 });
  expect(pace.read(70_000)).toEqual({ requestsPerSecond: 0, deniedPerSecond: 0 });
});

it("counts each outcome once, whatever else was counted of it", () => {
  const pace = new Pace(0);
  pace.add(counted({ safelisted: 2, throttled: 3, "denied req/ip/1": 3, unsure: 1, "took 0": 5 }), 1_000);
  expect(pace.read(1_000)).toEqual({ requestsPerSecond: 5, deniedPerSecond: 3 });
});

it("does not take a first second that is not over for a busy one", () => {
  const pace = new Pace(0);
  pace.add(counted({ pass: 10 }), 20);
  expect(pace.read(20)).toEqual({ requestsPerSecond: 10, deniedPerSecond: 0 });
  expect(pace.read(4_000)).toEqual({ requestsPerSecond: 2.5, deniedPerSecond: 0 });
});
