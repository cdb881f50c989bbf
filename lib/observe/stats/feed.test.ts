import { describe, expect, it } from "vitest";
import { innocentAgents, scannerAgents } from "../../enforce/policy/vitest.agents.ts";
import { denialsOf, type FeedItem, toolOf } from "./feed.ts";

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

it("finds what was denied of one customer, latest first", () => {
  const items = [
    item({ outcome: "throttled", path: "/a" }),
    item({ customerId: "2210", outcome: "throttled", ip: "203.0.113.1" }),
    item({ ip: "2001:db8:1:2:3::4" }),
    item({ outcome: "shadow", path: "/b" }),
    item({ customerId: "", ip: "203.0.113.2" }),
    item({ ip: "203.0.113.10", outcome: "safelisted" }),
  ];
  const denials = denialsOf(items, { customer: "1042", most: 9 });
  expect(denials.map(({ path }) => path)).toEqual(["/a", "/b"]);
});

const scriptClients: [name: string, userAgent: string][] = [
  ["curl", "curl/7.88.1"],
  ["curl", "PycURL/7.45.2 libcurl/7.88.1 OpenSSL/3.0.11 zlib/1.2.13"],
  ["Wget", "Wget/1.21.3"],
  ["python-requests", "python-requests/2.28.1"],
  ["urllib", "Python-urllib/3.11"],
  ["python-httpx", "python-httpx/0.27.0"],
  ["aiohttp", "Python/3.11 aiohttp/3.8.4"],
  ["Go", "Go-http-client/2.0"],
  ["libwww-perl", "libwww-perl/6.68"],
];

it.each(scannerAgents)("names the scanner or scraper %s: %s", (name, userAgent) => {
  expect(toolOf(userAgent)).toBe(name);
  expect(toolOf(userAgent.toUpperCase())).toBe(name);
});

it.each(scriptClients)("names what a script asks with, %s: %s", (name, userAgent) => {
  expect(toolOf(userAgent)).toBe(name);
});

describe.each(Object.entries(innocentAgents))("takes none of the %s for a tool", (_, userAgents) => {
  it.each(userAgents)("%s", (userAgent) => {
    expect(toolOf(userAgent)).toBeUndefined();
  });
});

it("does not guess the tool of a request without a user agent", () => {
  expect(toolOf("")).toBe("no user agent");
});
