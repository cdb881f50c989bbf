import { expect, it } from "vitest";
import { lua } from "../../redis/lua.generated.ts";
import { algorithms, isRate, models, rateAlgorithms, windowAlgorithms } from "../algorithms/algorithms.ts";

const numbersIn = (text = "") => text.split(",").map(Number);

it("numbers algorithms, and counts what they find, as lua/weigh.lua does", () => {
  const [, names = "", numbers] = /^local (fixed, .+) = ([\d, ]+)$/m.exec(lua.weigh) ?? [];
  const inLua = names
    .split(", ")
    .map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  expect(inLua).toEqual(algorithms.toSorted((a, b) => models[a].number - models[b].number));
  expect(numbersIn(numbers)).toEqual(inLua.map((_, i) => i + 1));
  const finds = numbersIn(/^local gets, finds = \{[\d, ]+\}, \{([\d, ]+)\}$/m.exec(lua.weigh)?.[1]);
  expect(Object.fromEntries(inLua.map((name, i) => [name, finds[i]]))).toEqual(
    Object.fromEntries(algorithms.map((name) => [name, models[name].finds])),
  );
});

it("counts in windows of the clock those algorithms that lua/weigh.lua checks the window of", () => {
  const sliding = models.sliding.number;
  for (const name of algorithms)
    expect(models[name].number <= sliding, name).toBe(models[name].keys !== "one");
});

it("knows each algorithm as a window or as a rate", () => {
  expect([...windowAlgorithms, ...rateAlgorithms].toSorted()).toEqual(algorithms.toSorted());
  expect(algorithms.filter(isRate)).toEqual(rateAlgorithms);
  expect(isRate("no such algorithm")).toBe(false);
});
