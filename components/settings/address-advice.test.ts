import { expect, it } from "vitest";
import { parseTrust } from "@/lib/ip/client-address.ts";
import { clientPath } from "@/lib/ip/client-path.ts";
import { adviceOn } from "./address-advice.ts";

function advice(peer: string | undefined, forwardedFor: string | null, setting: string | number) {
  const trust = parseTrust(setting);
  if (!trust.ok) throw new Error(trust.reason);
  return adviceOn(clientPath(peer, forwardedFor, trust.value), trust.value);
}

it.each([
  ["no proxy", "203.0.113.9", null, 0],
  ["a trusted proxy", "10.0.0.2", "203.0.113.9", "10.0.0.0/8"],
  ["as many hops as there are", "10.0.0.2", "203.0.113.9, 10.0.0.7", 2],
  ["this machine", "127.0.0.1", null, "127.0.0.0/8"],
])("is content with %s", (_, peer, forwardedFor, setting) => {
  const { isWell, setting: shouldBe } = advice(peer, forwardedFor, setting);
  expect({ isWell, shouldBe }).toEqual({ isWell: true, shouldBe: undefined });
});

it.each([
  ["10.0.0.2", "203.0.113.9", 0, "10.0.0.2 names another client", "10.0.0.2"],
  ["10.0.0.2", "203.0.113.9, 10.0.0.7", "10.0.0.2", "10.0.0.7 names another client", "10.0.0.2,10.0.0.7"],
  ["10.0.0.2", "203.0.113.9, 10.9.9.9", 1, "10.9.9.9 names another client", "2"],
  ["192.0.2.7", null, 2, "trusts 2 hops, but this request had 0", "0"],
  ["192.0.2.7", "203.0.113.9", 2, "trusts 2 hops, but this request had 1", "1"],
])("of peer %s and header %j under %j it says: %s", (peer, forwardedFor, trusted, says, setting) => {
  expect(advice(peer, forwardedFor, trusted)).toMatchObject({
    isWell: false,
    says: expect.stringContaining(says),
    setting,
  });
});

it("asks for X-Forwarded-For from a silent proxy, and for the right start of the console", () => {
  expect(advice("10.0.0.2", null, "10.0.0.0/8").cure).toBe("Configure it to send X-Forwarded-For.");
  expect(advice(undefined, "203.0.113.9", 1)).toMatchObject({
    isWell: false,
    says: expect.stringContaining("does not see"),
  });
});

it("wonders whether a private address is a proxy", () => {
  expect(advice("10.0.0.2", null, 0)).toMatchObject({ isWell: true, setting: "10.0.0.2" });
  expect(advice("192.0.2.1", "10.0.0.9", "192.0.2.1")).toMatchObject({
    isWell: true,
    setting: "192.0.2.1,10.0.0.9",
  });
});

it("accepts a client behind the proxies that names another", () => {
  expect(advice("10.0.0.2", "1.1.1.1, 203.0.113.9", "10.0.0.0/8")).toMatchObject({
    isWell: true,
    says: expect.stringContaining("are ignored"),
    setting: "10.0.0.0/8,203.0.113.9",
  });
});
