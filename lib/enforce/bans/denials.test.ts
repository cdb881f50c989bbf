import { expect, it } from "vitest";
import { format } from "../../ip/block.ts";
import { DenialTally } from "./denials.ts";
import { client, ruleWith, terms } from "./vitest.bans.ts";

const rule = ruleWith();
const taken = (tally: DenialTally) =>
  tally.take().map(({ rule, target, times }) => [rule, format(target), times]);

it("sums up by rule and address, and begins from zero once it was taken", () => {
  const tally = new DenialTally(10);
  const logins = ruleWith(terms, { name: "logins" });
  tally.add(rule, terms, client("203.0.113.9"), 1);
  tally.add(rule, terms, client("203.0.113.9"), 4);
  tally.add(logins, terms, client("203.0.113.9"), 7);
  tally.add(rule, terms, client("2001:db8::1"), 1);
  tally.add(rule, terms, client("2001:db8::2"), 1);
  expect(tally.size).toBe(3);
  expect(taken(tally)).toEqual([
    ["req/ip/1", "203.0.113.9", 5],
    ["req/ip/1", "2001:db8::/64", 2],
    ["logins", "203.0.113.9", 7],
  ]);
  expect(tally.size).toBe(0);
  expect(taken(tally)).toEqual([]);
});

it("holds no more addresses than it may, and goes on counting those it has", () => {
  const tally = new DenialTally(100);
  const block = client("203.0.113.9");
  for (let i = 0; i < 1_000; i++) tally.add(rule, terms, { ...block, a: i }, 1);
  for (let i = 0; i < 1_000; i++) tally.add(rule, terms, { ...block, a: i }, 1);
  const counts = tally.take();
  expect(counts).toHaveLength(100);
  expect(new Set(counts.map(({ times }) => times))).toEqual(new Set([2]));
});
