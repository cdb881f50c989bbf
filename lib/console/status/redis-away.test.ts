import { beforeEach, expect, it } from "vitest";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { noteAnswer, noteSilence, redisAwaySince } from "./redis-away.ts";

beforeEach(() => forgetOnce("redis away"));

it("knows since when Redis is silent: since the last answer", () => {
  noteAnswer(1_000);
  noteAnswer(3_000);
  expect(redisAwaySince()).toBeUndefined();
  expect([4_500, 9_000, 900_000].map(noteSilence)).toEqual([3_000, 3_000, 3_000]);
  expect(redisAwaySince()).toBe(3_000);
});

it("begins with the first silence if the last answer is old, or if there was none", () => {
  expect([5_000, 7_000].map(noteSilence)).toEqual([5_000, 5_000]);
  noteAnswer(9_000);
  expect(noteSilence(60_000)).toBe(60_000);
});

it("begins again after an answer", () => {
  noteSilence(5_000);
  noteAnswer(6_000);
  expect(noteSilence(7_000)).toBe(6_000);
});
