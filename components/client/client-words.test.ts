import { expect, it } from "vitest";
import type { Listings, Reach } from "@/lib/queries/client.ts";
import { activityBars } from "./activity.ts";
import { rangesOf, sayDay, sayListing, sayNoSamples, sayReach, sayWhose } from "./client-words.ts";

const at = Date.parse("2026-03-02T14:32:00.000Z");
const standing = (hours: number | null) => ({
  expiresAt: hours === null ? null : at + hours * 3_600_000 - 40,
  reason: "x",
});

const say = (some: Partial<Listings["records"][number]>) =>
  sayListing(
    {
      ...{ list: "blocklist", address: "203.0.113.7", n: 1, at: new Date(at).toISOString() },
      ...{ actor: "oncall@example.org", via: "console", action: "blocklist.add", reason: "" },
      ...some,
    },
    at,
  );

it("shows each change of an entry, with its duration and expiry", () => {
  expect(say({ after: standing(24) })).toBe("Blocked for 24 hours, until 3 Mar, 14:31 UTC");
  expect(say({ list: "safelist", after: standing(null) })).toBe("Safelisted permanently");
  expect(say({ before: standing(1), after: standing(168) })).toBe("Block expiry changed to 9 Mar, 14:31 UTC");
  expect(say({ list: "safelist", before: standing(1) })).toBe("Removed from the safelist");
});

const minute = { at: 0, requests: 1_444, denied: 1_144 };
const day = (minutes: readonly (typeof minute)[]) => ({
  ...{ minutes: [...minutes], unknownMinutes: 0, firstAt: null, lastAt: null },
});

it("shows the last day as unknown when it failed to load, not as empty", () => {
  const seen = { client: "203.0.113.7", apps: [] };
  expect(sayDay({ ...seen, day: null })).toBe("Requests in the last 24 h: unknown");
  expect(sayDay({ ...seen, day: day([]) })).toBe("No request recorded in the last 24 h");
});

it("says how many requests are known, and why there is no sample", () => {
  const seen = { client: "203.0.113.7", apps: [{ text: "shop", share: 1 }] };
  const text = "1,444 requests in the last 24 h, 1,144 denied · 1 app";
  expect(sayDay({ ...seen, day: day([minute]) })).toBe(text);
  expect(sayDay({ ...seen, client: "203.0.113.0/24", day: day([minute]) })).toMatch(/^At least 1,444/);
  expect(sayNoSamples({ day: day([]) })).toBe("No request recorded in the last 24 h.");
  expect(sayNoSamples({ day: day([minute]) })).toMatch(/^No samples: /);
});

it("adds the minutes of a day up to steps", () => {
  const minutes = [minute, { at: 60_000, requests: 6, denied: 0 }, { at: 300_000, requests: 1, denied: 1 }];
  expect(activityBars(minutes, { from: 0, until: 900_000 }).map(({ values }) => values)).toEqual([
    [306, 1_144],
    [0, 1],
    [0, 0],
  ]);
});

const reach = (some: Partial<Reach> = {}): Reach => ({
  ...{ asOf: 0, address: "203.0.113.0/24", requests: 1_204, denied: 210, clients: 3 },
  ...{ busiest: [], customers: [], customersKnownSince: 0, countedWith: null },
  ...some,
});

it("shows which requests a block would have denied, and which a safelisting would have passed", () => {
  expect(sayReach("blocklist", reach())).toBe(
    "Would have denied 1,204 requests of 3 clients in the last hour; 210 were denied anyway",
  );
  expect(sayReach("safelist", reach())).toBe(
    "Would have let 210 denied requests pass in the last hour, of 1,204 requests of 3 clients",
  );
  expect(sayReach("blocklist", reach({ requests: 1, denied: 0, clients: 1 }))).toBe(
    "Would have denied 1 request of 1 client in the last hour",
  );
  expect(sayReach("safelist", reach({ denied: 0 }))).toMatch(/changed nothing for 1,204 requests/);
  expect(sayReach("safelist", reach({ requests: 0 }))).toMatch(/^No client in it/);
});

it("counts the customers among them, and claims that there is none only when it is known", () => {
  const asOf = 9e8;
  expect(sayWhose(reach({ asOf }))).toBe("No customer in the last week");
  expect(sayWhose(reach({ asOf, customersKnownSince: asOf - 60_000 }))).toBe("No customer in the last 1 min");
  expect(sayWhose(reach({ customers: [{ text: "1042", count: 9 }] }))).toBe("1 customer among them");
  expect(sayWhose(reach({ customersKnownSince: null }))).toMatch(/^Customers unknown/);
  expect(sayWhose(reach({ customers: null }))).toMatch(/^Customers unknown/);
});

it.each([
  ["203.0.113.77", ["203.0.113.77", "203.0.113.0/24"], ["only this address", "256 addresses"]],
  [
    "2001:db8:1:2::9",
    ["2001:db8:1:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["only this address", "one network", "65,536 networks of /64"],
  ],
  ["2001:db8:1:2::/64", ["2001:db8:1:2::/64", "2001:db8:1::/48"], ["one network", "65,536 networks of /64"]],
  ["198.51.100.0/24", ["198.51.100.0/24"], ["256 addresses"]],
  ["198.51.0.0/20", ["198.51.0.0/20"], ["4,096 addresses"]],
  ["nonsense", [], []],
])("offers for %s the networks that its owner may have", (client, addresses, sizes) => {
  const ranges = rangesOf(client);
  expect(ranges.map(({ address }) => address)).toEqual(addresses);
  expect(ranges.map(({ size }) => size)).toEqual(sizes);
});
