import { describe, expect, it } from "vitest";
import type { Ip } from "../../ip/parse.ts";
import { countedClient, isPublicPath, PublicPathLimit } from "./public-paths.ts";

it.each([
  ["/signin", true],
  ["/welcome/abc", true],
  ["/api/auth/callback/credentials", true],
  ["/signing", false],
  ["/api/v1/openapi.json", true],
  ["/api/v1/policy", false],
  ["/api/authors", false],
  ["/", false],
])("%s is public: %s", (path, isPublic) => {
  expect(isPublicPath(path)).toBe(isPublic);
});

describe("the client that is counted", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9", null, "203.0.113.9"],
    ["203.0.113.9", "::ffff:203.0.113.9", "203.0.113.9", "203.0.113.9"],
    ["203.0.113.9", "198.51.100.1", "198.51.100.7, 203.0.113.9", "203.0.113.9"],
    ["2001:db8:0:1:2::3", "2001:db8:0:1:2:0:0:3", null, "2001:db8:0:1::/64"],
  ])("is that of %s, at the socket of %s with %j", (address, peer, forwardedFor, client) => {
    expect(countedClient({ address: address as Ip, peer, forwardedFor })).toBe(client);
  });

  it.each([
    [undefined, null],
    ["127.0.0.1", null],
    ["172.18.0.1", null],
    ["10.0.0.7", "203.0.113.9"],
    ["fd00::1", null],
    // A proxy that SLUICE_TRUSTED_PROXIES does not name: its address is that of all its clients.
    ["203.0.113.9", "198.51.100.7"],
    ["203.0.113.9", "unknown"],
  ])("is undefined where %s may be shared", (address, forwardedFor) => {
    expect(
      countedClient({ address: address as Ip | undefined, peer: address, forwardedFor }),
    ).toBeUndefined();
  });
});

describe("the limit", () => {
  it("lets 300 requests a minute pass, and says when to come back", () => {
    const limit = new PublicPathLimit();
    for (let i = 0; i < 300; i++) expect(limit.take("203.0.113.9", i)).toBeUndefined();
    expect(limit.take("203.0.113.9", 30_000)).toBe(30);
    expect(limit.take("203.0.113.10", 30_000)).toBeUndefined();
    expect(limit.take("203.0.113.9", 60_000)).toBeUndefined();
  });

  it("keeps a bounded number of clients", () => {
    const limit = new PublicPathLimit();
    for (let i = 0; i < 301; i++) limit.take("flood", 0);
    for (let i = 0; i < 9_999; i++) limit.take(`client ${i}`, 1);
    expect(limit.take("flood", 2)).toBe(60);
    limit.take("one more", 2);
    expect(limit.take("flood", 3)).toBeUndefined();
  });
});
