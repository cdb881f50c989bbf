import { expect, it } from "vitest";
import type { Ip } from "../../ip/parse.ts";
import { bareHost, broadFingerprint, standardFingerprint } from "./fingerprint.ts";

const ip = "203.0.113.9" as Ip;

it("keeps the path's case and loses the host's, and its port", () => {
  expect(standardFingerprint("Shop.Example:443", "/Foo", "GET", ip, "curl/8")).toBe(
    "shop.example:/Foo:GET:203.0.113.9:curl/8",
  );
  expect(["[2001:DB8::1]:80", "[::1]", "A", ""].map(bareHost)).toEqual(["[2001:db8::1]", "[::1]", "a", ""]);
});

it("cuts the agent to 256 bytes, as they were sent, and not within a character", () => {
  expect(broadFingerprint(ip, "é".repeat(300))).toBe(`${ip}:${"é".repeat(256)}`);
  expect(broadFingerprint(ip, "字".repeat(300))).toBe(`${ip}:${"字".repeat(85)}`);
  expect(broadFingerprint(ip, "字".repeat(85))).toBe(`${ip}:${"字".repeat(85)}`);
});
