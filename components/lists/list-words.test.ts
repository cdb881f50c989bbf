import { describe, expect, it } from "vitest";
import {
  extendedWords,
  kindsOf,
  outcomeOf,
  placesOf,
  readOnlySentence,
  removedWords,
  resultOf,
  sayListedBefore,
  sourceOf,
} from "./list-words.ts";
import { nothing, toggled } from "./selection/selection.ts";

const week = 604_800_000;

describe("the button", () => {
  it("names the action", () => {
    expect(outcomeOf("blocklist", 2, week)).toBe("Block 2 for 1 week");
    expect(outcomeOf("safelist", 1_200, null)).toBe("Safelist 1,200 permanently");
  });
});

describe("the result", () => {
  it("is in numbers", () => {
    expect(resultOf("blocklist", 12, week)).toBe("12 blocked for 1 week");
    expect(resultOf("safelist", 1_200, null)).toBe("1,200 safelisted permanently");
    expect(resultOf("blocklist", 2, undefined)).toBe("2 blocked");
    expect(resultOf("blocklist", 1, week, ["198.18.220.7"])).toBe("198.18.220.7 blocked for 1 week");
    expect(resultOf("blocklist", 2, week, ["198.18.220.7", "198.18.220.8"])).toBe("2 blocked for 1 week");
    expect(resultOf("blocklist", 0, week)).toBe("No change needed");
  });
});

describe("places", () => {
  it("are those of the visible rows", () => {
    expect(placesOf(0, 50, 1_204)).toBe("1–50 of 1,204");
    expect(placesOf(999_950, 1_000_000, 1_000_000)).toBe("999,951–1,000,000 of 1,000,000");
    expect(placesOf(0, 0, 0)).toBe("0 of 0");
  });
});

describe("addresses", () => {
  it("are counted by kind", () => {
    expect(kindsOf(["203.0.113.9", "2001:db8:42::/48"])).toBe("1 address and 1 range");
    expect(kindsOf(["203.0.113.8", "203.0.113.9"])).toBe("2 addresses");
    expect(kindsOf(["198.51.100.0/24"])).toBe("1 range");
  });
});

describe("the source of an entry", () => {
  it.each([
    [undefined, "Redis"],
    ["console", "Console"],
    ["cli", "Command line"],
    ["auto:login/ip", "Auto-ban"],
    ["<b>", "<b>"],
  ])("%s is %s", (via, word) => expect(sourceOf(via)).toBe(word));
});

it("names the roles that may change the list", () => {
  expect(readOnlySentence("safelist", "support", "staff or admin")).toBe(
    "Your role (support) can view this list. To safelist an address, ask staff or admin.",
  );
});

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

it("says that an address was never listed only where the whole log has no record of it", () => {
  const past = { listedBefore: 0, records: [], isWhole: true };
  expect(sayListedBefore(past)).toBe("Never listed before");
  expect(sayListedBefore({ ...past, records: [{}] })).toBeUndefined();
  expect(sayListedBefore({ ...past, isWhole: false })).toBeUndefined();
  expect(sayListedBefore({ ...past, records: [{}], listedBefore: 1 })).toBe("Listed once before");
  expect(sayListedBefore({ ...past, records: [{}], listedBefore: 3 })).toBe("Listed 3 times before");
});
