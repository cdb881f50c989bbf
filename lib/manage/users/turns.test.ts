import { expect, it } from "vitest";
import { argon2id } from "./password.ts";
import { Turns } from "./turns.ts";

it("lets so many work at a time, in the order in which they came, and refuses work that would wait too long", async () => {
  const turns = new Turns(2, 3, "Too many.");
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (i: number) =>
    turns.take(async () => {
      begun.push(i);
      await new Promise<void>((resolve) => ends.push(resolve));
      return i;
    });
  const works = [0, 1, 2, 3, 4].map(work);
  await expect(work(5)).rejects.toThrow("Too many.");
  expect(begun).toEqual([0, 1]);
  expect(turns.isIdle).toBe(false);
  ends.shift()?.();
  await works[0];
  expect(begun).toEqual([0, 1, 2]);
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(works)).toEqual([0, 1, 2, 3, 4]);
  expect(turns.isIdle).toBe(true);
});

it("goes on when work fails", async () => {
  const turns = new Turns(1, 1, "Too many.");
  const failing = turns.take(() => Promise.reject(new Error("broken")));
  const next = turns.take(async () => "done");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
  expect(await turns.take(async () => "again")).toBe("again");
});

it("bounds how many passwords are checked at once", async () => {
  const checks = Array.from({ length: 150 }, () => argon2id.isRight(undefined, "x"));
  const results = await Promise.allSettled(checks);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(48);
});
