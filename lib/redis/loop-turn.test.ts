import { expect, it } from "vitest";
import { breathing, loopTurn } from "./loop-turn.ts";

/** Passes of the event loop so far. */
function passes() {
  const counter = { count: 0, stop: () => clearImmediate(next) };
  let next = setImmediate(function pass() {
    counter.count++;
    next = setImmediate(pass);
  });
  return counter;
}

function busy(ms: number): void {
  for (const begin = performance.now(); performance.now() - begin < ms; );
}

it("lets each caller resume in a pass of its own, in their order", async () => {
  const counter = passes();
  const resumed: [caller: number, pass: number][] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (caller) => {
      await loopTurn();
      resumed.push([caller, counter.count]);
    }),
  );
  counter.stop();
  expect(resumed.map(([caller]) => caller)).toEqual([0, 1, 2, 3]);
  expect(new Set(resumed.map(([, pass]) => pass)).size).toBe(4);
});

it("breathes between long pieces of work only, never two workers in one pass", async () => {
  const counter = passes();
  const worked: number[] = [];
  const work = async () => {
    const breathe = breathing();
    for (let piece = 0; piece < 4; piece++) {
      await breathe();
      worked.push(counter.count);
      busy(9);
    }
  };
  await Promise.all([work(), work(), work()]);
  counter.stop();
  // The first piece of each is done at once.
  expect(new Set(worked.slice(3)).size).toBe(9);
  const breathe = breathing();
  let isNextPass = false;
  setImmediate(() => {
    isNextPass = true;
  });
  for (let piece = 0; piece < 100; piece++) await breathe();
  expect(isNextPass).toBe(false);
});
