import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { tokenIn } from "./sign-in-page.ts";

const secret = "a secret of at least thirty-two characters";
const token = "f".repeat(64);
const digest = createHash("sha256").update(`${token}${secret}`).digest("hex");

it("takes the token of a cookie that this console has signed", () => {
  expect(tokenIn(`${token}|${digest}`, secret)).toBe(token);
});

it.each([
  ["no cookie", ""],
  ["no digest", token],
  ["an empty digest", `${token}|`],
  ["a short digest", `${token}|${digest.slice(0, 32)}`],
  ["a digest that is no number", `${token}|${"z".repeat(64)}`],
  ["another digest", `${token}|${"0".repeat(64)}`],
  ["another token", `${"e".repeat(64)}|${digest}`],
  ["no token", `|${createHash("sha256").update(secret).digest("hex")}`],
])("takes none with %s", (_, cookie) => {
  expect(tokenIn(cookie, secret)).toBeUndefined();
});
