import { expect, it } from "vitest";
import { fingerprint } from "./fingerprint.ts";

it("is the same for the same texts, and different for others", () => {
  expect(fingerprint("203.0.113.9", "a week")).toBe(fingerprint("203.0.113.9", "a week"));
  const others = [
    ["203.0.113.8"],
    ["203.0.113.9"],
    ["203.0.113.9", "a week"],
    ["203.0.113.9a week"],
    [""],
    [],
  ];
  expect(new Set(others.map((texts) => fingerprint(...texts))).size).toBe(others.length);
  expect(fingerprint("é🙂")).toMatch(/^[0-9a-f]{16}$/);
});
