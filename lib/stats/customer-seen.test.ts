import { expect, it } from "vitest";
import { seenOf } from "./customer-seen.ts";
import type { FeedItem } from "./feed.ts";

let at = 1_000;
function item(given: Partial<FeedItem>): FeedItem {
  at -= 1;
  const usual = {
    method: "GET",
    host: "example.org",
    path: "/",
    userAgent: "",
    rule: "",
    standsFor: 1,
  } as const;
  const where = { ip: "203.0.113.9", app: "shop", node: "n", outcome: "pass", customerId: "1042" } as const;
  return { ...usual, ...where, id: `${at}-0`, at, ...given };
}

it("finds one customer's addresses and what was denied of it, latest first", () => {
  const items = [
    item({ outcome: "throttled", path: "/a" }),
    item({ customerId: "2210", outcome: "throttled", ip: "203.0.113.1" }),
    item({ ip: "2001:db8:1:2:3::4" }),
    item({ outcome: "shadow", path: "/b" }),
    item({ customerId: "", ip: "203.0.113.2" }),
    item({ ip: "203.0.113.10", outcome: "safelisted" }),
  ];
  const { addresses, denials } = seenOf(items, { customer: "1042", mostAddresses: 2, mostDenials: 9 });
  expect(addresses).toEqual([
    { ip: "203.0.113.9", countedAs: "203.0.113.9", lastAt: 999 },
    { ip: "2001:db8:1:2:3::4", countedAs: "2001:db8:1:2::/64", lastAt: 997 },
  ]);
  expect(denials.map(({ path }) => path)).toEqual(["/a", "/b"]);
});
