import { expect, it } from "vitest";
import { nothing, toggled } from "../selection/selection.ts";
import { extendedWords, removedWords } from "./change-words.ts";

const entry = (address: string) => ({
  ...{ address, isRange: false, reason: "", expiresAt: null, lifeMs: null },
});
const one = toggled(nothing, entry("203.0.113.9"), 0);
const two = toggled(one, entry("203.0.113.10"), 1);
const day = 86_400_000;

it("names one entry and counts several", () => {
  expect(extendedWords(one, 1, day)).toBe("203.0.113.9 extended by 24 hours");
  expect(extendedWords(one, 1, null)).toBe("203.0.113.9 now never expires");
  expect(extendedWords(two, 2, null)).toBe("2 now never expire");
  expect(extendedWords(two, 0, day)).toBe("Nothing to extend");
  expect(removedWords("blocklist", one, 1)).toBe("203.0.113.9 removed from the blocklist");
  expect(removedWords("safelist", two, 2)).toBe("2 removed from the safelist");
  expect(removedWords("safelist", one, 0)).toBe("Nothing to remove");
});
