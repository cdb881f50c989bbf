import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Connection } from "./connect.ts";
import { Schedule } from "./schedule.ts";
import { Uplink } from "./uplink.ts";

const redis = { status: "ready" };
let schedule: Schedule;
let uplink: Uplink;

beforeEach(() => {
  vi.useFakeTimers();
  redis.status = "ready";
  schedule = new Schedule();
  // The one cast: only the status of the connection is read.
  uplink = new Uplink(redis as Connection, schedule);
});
afterEach(() => {
  schedule.close();
  vi.useRealTimers();
});

it("takes turns of a source one after the other, and does not let it hold up another", async () => {
  let letGo = () => {};
  const slow = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        letGo = resolve;
      }),
  );
  const quick = vi.fn(async () => {});
  uplink.add(1_000, slow);
  uplink.add(1_000, quick);
  await vi.advanceTimersByTimeAsync(3_500);
  expect([slow.mock.calls.length, quick.mock.calls.length]).toEqual([1, 3]);
  letGo();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(slow).toHaveBeenCalledTimes(2);
});

it("goes on after a turn that failed", async () => {
  const send = vi.fn(async () => {
    throw new Error("away");
  });
  uplink.add(1_000, send);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(send).toHaveBeenCalledTimes(2);
});

it("learns Redis' clock and the number of nodes from every reply", async () => {
  expect(Math.abs(uplink.nowMs - Date.now())).toBeLessThan(5);
  await uplink.tell(async () => ({ nowMs: Date.now() + 90_000, nodes: 7 }));
  expect(Math.abs(uplink.nowMs - Date.now() - 90_000)).toBeLessThan(5);
  expect(uplink.nodes).toBe(7);
});

it("asks nothing while Redis is away", async () => {
  redis.status = "reconnecting";
  const report = vi.fn(async () => ({ nowMs: 0, nodes: 1 }));
  await uplink.tell(report);
  expect(report).not.toHaveBeenCalled();
});

it("gives each source a last turn, and does not wait for a server that is silent", async () => {
  const last = vi.fn(async () => {});
  uplink.add(60_000, last);
  uplink.add(60_000, () => new Promise(() => {}));
  let isClosed = false;
  void uplink.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(499);
  expect([last.mock.calls.length, isClosed]).toEqual([1, false]);
  await vi.advanceTimersByTimeAsync(2);
  expect(isClosed).toBe(true);
});
