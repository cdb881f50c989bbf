import { expect, it } from "vitest";
import { SettledMinutes } from "./settled-minutes.ts";

const running = 1_000;
const nowMs = running * 60_000 + 5_000;

function reader(mostQuestions: number) {
  const minutes = new SettledMinutes<string>(mostQuestions);
  const fetched: number[][] = [];
  const read = (question: string, wanted: readonly number[], atMs = nowMs) =>
    minutes.read(question, wanted, atMs, async (missing) => {
      fetched.push([...missing]);
      return missing.map((minute) => `${question} ${minute}`);
    });
  return { read, fetched };
}

it("reads a minute that is over once, and the last two again", async () => {
  const { read, fetched } = reader(1);
  const wanted = [997, 998, 999, 1_000];
  expect(await read("a", wanted)).toEqual(["a 997", "a 998", "a 999", "a 1000"]);
  expect(await read("a", wanted)).toEqual(["a 997", "a 998", "a 999", "a 1000"]);
  expect(await read("a", [998])).toEqual(["a 998"]);
  expect(fetched).toEqual([wanted, [999, 1_000]]);
});

it("drops the question that was not asked for the longest time, and minutes that Redis has deleted", async () => {
  const { read, fetched } = reader(2);
  for (const question of ["a", "b", "a", "c", "a"]) await read(question, [990]);
  expect(fetched).toHaveLength(3);
  await read("b", [990]);
  expect(fetched).toHaveLength(4);
  await read("b", [2_600], 2_600 * 60_000);
  await read("b", [990]);
  expect(fetched).toHaveLength(6);
});
