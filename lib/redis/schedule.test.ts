import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Schedule } from "./schedule.ts";

let schedule: Schedule;
let done: string[];
const note = (name: string) => () => void done.push(name);

beforeEach(() => {
  vi.useFakeTimers();
  schedule = new Schedule();
  done = [];
});
afterEach(() => vi.useRealTimers());

it("does each task when it is due, in order", () => {
  schedule.every(100, note("often"));
  schedule.every(250, note("rarely"));
  schedule.once(120, note("once"));
  vi.advanceTimersByTime(310);
  expect(done).toEqual(["often", "once", "often", "rarely", "often"]);
});

it("asks for each pause again", () => {
  const pauses = [10, 100, 20];
  schedule.every(
    () => pauses.shift() ?? 1_000,
    () => void done.push(String(Date.now() - startedAt)),
  );
  const startedAt = Date.now();
  vi.advanceTimersByTime(500);
  expect(done).toEqual(["10", "110", "130"]);
});

it("does nothing that was cancelled, also by a task that was due with it", () => {
  schedule.once(50, () => other.cancel());
  const other = schedule.once(50, note("other"));
  schedule.once(60, note("early")).cancel();
  vi.advanceTimersByTime(100);
  expect(done).toEqual([]);
});

it("goes on after a task that throws", () => {
  schedule.every(10, () => {
    done.push("thrown");
    throw new Error("expected");
  });
  schedule.every(15, note("other"));
  expect(() => vi.advanceTimersByTime(12)).toThrow("expected");
  vi.advanceTimersByTime(5);
  expect(done).toEqual(["thrown", "other"]);
});

it("does nothing once it is closed, and plans nothing", () => {
  schedule.every(10, note("before"));
  schedule.close();
  schedule.once(10, note("after"));
  vi.advanceTimersByTime(100);
  expect([done, vi.getTimerCount()]).toEqual([[], 0]);
});

it("has one timer for all, which keeps no process alive", () => {
  for (let i = 1; i < 50; i++) schedule.every(i * 10, () => {});
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(1);
  vi.useRealTimers();
  const before = process.getActiveResourcesInfo().length;
  const real = new Schedule();
  real.every(10_000, () => {});
  expect(process.getActiveResourcesInfo().length).toBe(before);
  real.close();
});
