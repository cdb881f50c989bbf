import { expect, it } from "vitest";
import { exportStream } from "./export-stream.ts";
import { beginFairTurn, inFairTurn } from "./fair-turns.ts";

it("lets six reads of a user work at a time, and those of others beside them", async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = (whose: string) =>
    inFairTurn("read", whose, () => {
      begun.push(whose);
      return new Promise<void>((end) => ends.push(end));
    });
  const reads = [...Array.from({ length: 8 }, () => read("ada")), read("grace")];
  await Promise.resolve();
  expect(begun).toEqual([..."ada ada ada ada ada ada".split(" "), "grace"]);
  while (begun.length < 9) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const end of ends) end();
  await Promise.all(reads);
});

it("begins two exports of a user, and another when one has ended or was left", async () => {
  const stream = (whose = "ada") =>
    exportStream(
      whose,
      (async function* () {
        for (let line = 0; ; line++) yield `${line}\n`;
      })(),
    );
  const [first, second] = [await stream(), await stream()];
  let isThird = false;
  const third = stream().then((begun) => {
    isThird = true;
    return begun;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isThird).toBe(false);
  await (await stream("grace")).cancel();
  await first.cancel();
  await (await third).cancel();
  await second.cancel();
});

it("ends an export's turn with its last piece, and with an error", async () => {
  const some = async function* () {
    yield "a";
    yield "b";
  };
  const broken = async function* (before: readonly string[]) {
    yield* before;
    throw new Error("Redis went away");
  };
  for (let i = 0; i < 3; i++) {
    expect(await new Response(await exportStream("ada", some())).text()).toBe("ab");
    await expect(new Response(await exportStream("ada", broken(["a"]))).text()).rejects.toThrow(
      "Redis went away",
    );
    await expect(exportStream("ada", broken([]))).rejects.toThrow("Redis went away");
  }
});

it("refuses what would wait too long", async () => {
  const ends = await Promise.all([beginFairTurn("export", "ada"), beginFairTurn("export", "ada")]);
  const waiting = Array.from({ length: 4 }, () => beginFairTurn("export", "ada"));
  await expect(beginFairTurn("export", "ada")).rejects.toMatchObject({
    code: "too-busy",
    message: "You have too many exports waiting. Try again after they end.",
  });
  for (const end of ends) end();
  for (const one of waiting) (await one)();
});
