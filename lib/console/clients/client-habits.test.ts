import { expect, it } from "vitest";
import type { FeedItem } from "../../observe/stats/feed.ts";
import { habitsOf } from "./client-habits.ts";

const item = (some: Partial<FeedItem> = {}): FeedItem => ({
  ...{ id: "1-0", at: 1, ip: "203.0.113.7", method: "GET", host: "Shop.example.org:8080", path: "/a?x=1" },
  ...{ userAgent: "sqlmap/1.8", outcome: "throttled", rule: "r", customerId: "", standsFor: 1 },
  ...{ app: "shop", node: "n" },
  ...some,
});

it("counts fingerprints as rules and edges do: the host bare, the path without its query", () => {
  const seen = [
    item({ standsFor: 5 }),
    item({ path: "/a?x=2", standsFor: 3 }),
    item({ path: "/b", method: "POST" }),
    item({ ip: "2001:db8::1", userAgent: "curl/8" }),
    item({ ip: "" }),
  ];
  const { standard, broad } = habitsOf(seen, []).fingerprints;
  expect(standard).toEqual([
    { text: "shop.example.org:/a:GET:203.0.113.7:sqlmap/1.8", count: 8, isCut: false },
    { text: "shop.example.org:/b:POST:203.0.113.7:sqlmap/1.8", count: 1, isCut: false },
    { text: "shop.example.org:/a:GET:2001:db8::1:curl/8", count: 1, isCut: false },
  ]);
  expect(broad).toEqual([
    { text: "203.0.113.7:sqlmap/1.8", count: 9, isCut: false },
    { text: "2001:db8::1:curl/8", count: 1, isCut: false },
  ]);
});

it("says which fingerprint is not the whole one", () => {
  const longPath = item({ path: `/${"a".repeat(199)}` });
  const longQuery = item({ path: `/b?${"a".repeat(197)}` });
  const longAgent = item({ path: "/c", userAgent: "a".repeat(200) });
  const { standard, broad } = habitsOf([longPath, longQuery, longAgent], []).fingerprints;
  expect(standard.map(({ isCut }) => isCut)).toEqual([true, false, false]);
  expect(broad.map(({ isCut }) => isCut)).toEqual([false, false]);
});
