import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FeedItem } from "./feed.ts";
import { deniedPaths } from "./top-paths.ts";

const nowMs = 1_700_000_000_000;
const sample = (path: string, more: Partial<FeedItem> = {}): FeedItem => ({
  ...{ id: "1-0", at: nowMs - 10_000, ip: "203.0.113.7", method: "GET", host: "", path, userAgent: "" },
  ...{ outcome: "throttled", rule: "req/ip", customerId: "", standsFor: 1, app: "shop", node: "n" },
  ...more,
});
const of = (items: readonly FeedItem[], most = 5) => deniedPaths(items, { nowMs, most });

describe("denied paths", () => {
  it("have the shares of the denials that their samples represent, by app", () => {
    const items = [
      sample("/login", { standsFor: 60 }),
      sample("/login", { standsFor: 20, app: "docs" }),
      sample("/.env", { outcome: "blocked", standsFor: 20, at: nowMs - 40_000 }),
    ];
    expect(of(items)).toEqual({
      paths: [
        { app: "shop", path: "/login", share: 0.6 },
        { app: "docs", path: "/login", share: 0.2 },
        { app: "shop", path: "/.env", share: 0.2 },
      ],
      samples: 3,
      since: nowMs - 40_000,
    });
  });

  it("leave out passes, rules in shadow, and what is older than five minutes", () => {
    const items = [
      sample("/a", { outcome: "pass" }),
      sample("/b", { outcome: "shadow" }),
      sample("/c", { at: nowMs - 300_001 }),
    ];
    expect(of(items)).toEqual({ paths: [], samples: 0, since: undefined });
  });

  it("never have more than all denials together", () => {
    const item = fc
      .record({ path: fc.constantFrom("/a", "/b", "/c"), standsFor: fc.nat({ max: 500 }) })
      .map(({ path, standsFor }) => sample(path, { standsFor }));
    fc.assert(
      fc.property(fc.array(item), fc.integer({ min: 1, max: 3 }), (items, most) => {
        const { paths } = of(items, most);
        expect(paths.length).toBeLessThanOrEqual(most);
        expect(paths.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});
