import { describe, expect, it } from "vitest";
import { blockOf } from "../../ip/parse.ts";
import { rangeList } from "../../ip/range-list.ts";
import { at, ip } from "../../manage/lists/vitest.context.ts";
import type { ListName } from "../../redis/keys.ts";
import { type Circumstances, isEnforced, refusal, whyNotEnforced } from "./lockout.ts";
import { protectedRanges, protector } from "./protected.ts";

const ranges = protectedRanges({
  trustedProxies: [at("10.1.0.0/16"), at("2001:db8:1::/48")],
  neverBlock: [at("198.51.100.0/24")],
});
const plain: Circumstances = { protector: protector(ranges), isConfirmed: false };
const refuse = (list: ListName, text: string, around: Partial<Circumstances> = {}) =>
  refusal(list, at(text), { ...plain, ...around });

describe("blocking is refused for", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7 is your own address."],
    ["203.0.113.0/24", "203.0.113.0/24 contains your own address, 203.0.113.7."],
    ["127.0.0.1", "127.0.0.1 overlaps 127.0.0.0/8, which is loopback."],
    ["::1", "::1 is loopback."],
    ["10.1.2.3", "10.1.2.3 overlaps 10.1.0.0/16, which is a trusted proxy."],
    ["10.1.0.0/16", "10.1.0.0/16 is a trusted proxy."],
    ["2001:db8::/32", "2001:db8::/32 overlaps 2001:db8:1::/48, which is a trusted proxy."],
    [
      "198.51.0.0/16",
      "198.51.0.0/16 overlaps 198.51.100.0/24, which is a protected range of SLUICE_NEVER_BLOCK.",
    ],
    ["0.0.0.0/0", "0.0.0.0/0 is wider than /16: no list takes so much."],
    ["203.0.0.0/15", "203.0.0.0/15 is wider than /16: no list takes so much."],
    ["2001:da8::/31", "2001:da8::/31 is wider than /32: no list takes so much."],
  ])("%s", (text, message) => {
    const around = { actorAddress: ip("203.0.113.7"), isConfirmed: true };
    expect(refuse("blocklist", text, around)).toMatchObject({ code: "lockout", message });
  });

  it("what the safelist covers, by any author", () => {
    const cover = (note: { reason: string; by?: string }) => ({
      safelistCover: { address: at("203.0.113.0/24"), note },
    });
    expect(refuse("blocklist", "203.0.113.9", cover({ reason: "office", by: "grace" }))?.message).toContain(
      "by 203.0.113.0/24 (added by grace: office)",
    );
    expect(refuse("blocklist", "203.0.113.9", cover({ reason: "" }))?.message).toContain(
      "(added by an unknown author)",
    );
  });

  it("a wide range that was not typed again", () => {
    expect(refuse("blocklist", "203.0.112.0/23")).toEqual({
      code: "needs-confirmation",
      why: "confirm",
      message: "203.0.112.0/23 is wider than /24. Type it again to confirm it.",
    });
    expect(refuse("blocklist", "2001:db9::/47")).toMatchObject({ code: "needs-confirmation" });
    for (const text of ["203.0.113.0/24", "2001:db9::/48"]) expect(refuse("blocklist", text)).toBeUndefined();
    expect(refuse("blocklist", "203.0.0.0/16", { isConfirmed: true })).toBeUndefined();
  });
});

describe("safelisting", () => {
  it("is free for what may not be blocked", () => {
    for (const text of ["127.0.0.1", "10.1.0.0/24", "203.0.113.7"]) {
      expect(refuse("safelist", text, { actorAddress: ip("203.0.113.7") })).toBeUndefined();
    }
  });

  it("is as narrow as blocking", () => {
    expect(refuse("safelist", "203.0.0.0/15", { isConfirmed: true })).toMatchObject({
      code: "lockout",
    });
    expect(refuse("safelist", "203.0.0.0/16")).toMatchObject({ code: "needs-confirmation" });
  });
});

it.each<[ListName, string, boolean]>([
  ["blocklist", "203.0.113.9", true],
  ["blocklist", "203.0.0.0/16", true],
  ["blocklist", "0.0.0.0/0", false],
  ["blocklist", "203.0.0.0/15", false],
  ["blocklist", "2001:db9::/32", true],
  ["blocklist", "2001:da8::/31", false],
  ["blocklist", "127.0.0.1", false],
  ["blocklist", "10.1.0.0/24", false],
  ["blocklist", "198.51.0.0/16", false],
  ["safelist", "198.51.0.0/16", true],
  ["safelist", "::/0", false],
])("%s:%s, by any writer, is enforced: %s", (list, text, expected) => {
  const guarded = rangeList(ranges.map(({ range }) => range));
  expect(isEnforced(list, blockOf(at(text)), guarded)).toBe(expected);
  expect(whyNotEnforced(list, at(text), "string", protector(ranges)) === undefined).toBe(expected);
});
