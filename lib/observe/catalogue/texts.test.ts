import fc from "fast-check";
import { expect, it } from "vitest";
import { Texts } from "./texts.ts";

it("reuses numbers of texts only when they are free", () => {
  const texts = new Texts();
  const [a, b] = [texts.take("Alpha"), texts.take("beta")];
  expect(texts.take("Alpha")).toBe(a);
  texts.drop(a);
  expect([texts.at(a), texts.folded(a), texts.find("Alpha")]).toEqual(["Alpha", "alpha", a]);
  texts.drop(a);
  expect([texts.find("Alpha"), texts.find("beta")]).toEqual([0, b]);
  expect(texts.take("gamma")).toBe(a);
  expect([...texts.containing("a")]).toEqual([0, 1, 1]);
  expect([texts.take(undefined), texts.at(0)]).toEqual([0, undefined]);
});

it("finds every text that has a part, and no other", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."abcdÄß \u0000\u{1f600}"), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 20 }), letters, (given, part) => {
      const texts = new Texts();
      const numbers = given.map((text) => texts.take(text));
      const marks = texts.containing(part.toLowerCase());
      for (const [i, text] of given.entries())
        expect(marks[numbers[i] ?? 0] === 1).toBe(text.toLowerCase().includes(part.toLowerCase()));
    }),
  );
});
