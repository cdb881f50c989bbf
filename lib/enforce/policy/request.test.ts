import fc from "fast-check";
import { expect, it } from "vitest";
import { basicUser } from "./request.ts";

const basic = (pair: string | Buffer) => `Basic ${Buffer.from(pair).toString("base64")}`;

it.each<[string | undefined, string | false | undefined]>([
  [undefined, undefined],
  [basic("joe:secret"), "joe"],
  [basic("joe:a:b:c"), "joe"],
  [basic("joe:"), "joe"],
  [basic("jürgen:ß"), "jürgen"],
  [basic(Buffer.from("jürgen:x", "latin1")), "jürgen"],
  [basic("joe:x").replace("Basic ", "bAsIc   "), "joe"],
  ["", false],
  ["Basic", false],
  ["Basic ", false],
  ["Basic %%%", false],
  ["Bearer abc", false],
  [basic("joe"), false],
  [basic(":x"), false],
  [basic("jo\ne:x"), false],
])("%j", (header, expected) => {
  expect(basicUser(header)).toBe(expected);
});

it("finds every user again that a client may send, and never throws", () => {
  const user = fc.string({ minLength: 1, unit: "grapheme" }).filter((name) => !/[:\p{Cc}\p{Cs}]/u.test(name));
  fc.assert(fc.property(user, (name) => basicUser(basic(`${name}:p:w`)) === name));
  fc.assert(fc.property(fc.string(), (text) => void basicUser(`Basic ${text}`)));
});
