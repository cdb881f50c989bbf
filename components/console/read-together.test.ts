import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readTogether } from "./read-together.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("sends the addresses of one moment together, and at most so many in one request", async () => {
  const sent: (readonly string[])[] = [];
  const read = readTogether(2, async (addresses) => {
    sent.push(addresses);
    return addresses.map((address) => `of ${address}`);
  });
  const found = Promise.all(["a", "b", "c"].map(read));
  await vi.runAllTimersAsync();
  expect(await found).toEqual(["of a", "of b", "of c"]);
  expect(sent).toEqual([["a", "b"], ["c"]]);
  const later = read("d");
  await vi.runAllTimersAsync();
  expect(await later).toBe("of d");
  expect(sent).toHaveLength(3);
});

it("fails for each address of a request that failed, or that has no answer", async () => {
  const failing = readTogether(9, async () => Promise.reject(new Error("away")));
  const short = readTogether(9, async () => ["one"]);
  const results = Promise.allSettled([failing("a"), failing("b"), short("a"), short("b")]);
  await vi.runAllTimersAsync();
  expect((await results).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
    "fulfilled",
    "rejected",
  ]);
});
