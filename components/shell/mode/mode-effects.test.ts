import { expect, it } from "vitest";
import { choicesFor, sayWhoUndoes } from "./mode-effects.ts";

it.each([
  ["admin", "enforce", ["shadow", "off"]],
  ["admin", "off", ["enforce", "shadow"]],
  ["staff", "enforce", ["shadow", "off"]],
  ["staff", "shadow", ["off"]],
  ["staff", "off", ["shadow"]],
  ["support", "enforce", []],
  ["viewer", "off", []],
] as const)("%s may leave %s for %j", (role, now, choices) => {
  expect(choicesFor(role, now)).toEqual(choices);
});

it("warns staff, before they switch to shadow or off, that they cannot switch back", () => {
  expect(sayWhoUndoes("staff", "off")).toMatch(/you cannot switch back.*only an admin/i);
  expect(sayWhoUndoes("admin", "off")).toMatch(/admin, like you,/);
});
