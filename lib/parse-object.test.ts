import { expect, it } from "vitest";
import { parseObject } from "./parse-object.ts";

it("reads the members of a JSON object, and nothing of any other text", () => {
  expect(parseObject('{"a":1,"b":{"c":null}}')).toEqual({ a: 1, b: { c: null } });
  for (const text of ["", "{", "null", "7", '"text"', '["a"]', "{}x"])
    expect(parseObject(text)).toBeUndefined();
});
