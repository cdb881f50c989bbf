import { expect, it } from "vitest";
import { placesIn } from "./json-places.ts";

it("finds each field by the path of a problem", () => {
  const text =
    '{\n  "mode": "shadow",\n  "rules": [\n    { "levels": [{ "limit": 5 }] },\n    { "name": "a,{b" }\n  ]\n}';
  const places = placesIn(text);
  const at = (path: string) => text.slice(places.get(path)?.offset).slice(0, 5);
  expect(at("mode")).toBe('"shad');
  expect(at("rules[0].levels[0].limit")).toBe("5 }] ");
  expect(at("rules[1].name")).toBe('"a,{b');
  expect([places.get("mode")?.line, places.get("rules[1].name")?.line]).toEqual([2, 5]);
  expect(places.has("rules[2]")).toBe(false);
});

it("finds the fields before the end of incomplete JSON", () => {
  expect(placesIn('{ "a": [1, {"b": ').get("a[0]")).toEqual({ offset: 8, line: 1 });
  expect(placesIn("]}").size).toBe(0);
});
