import { expect, it } from "vitest";
import type { Listings } from "@/lib/queries/client.ts";
import { sayHour, sayListing } from "./client-words.ts";

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

it("shows the last hour as unknown when it failed to load, not as empty", () => {
  const seen = { customers: [], apps: [] };
  expect(sayHour({ ...seen, minutes: null })).toBe("Requests in the last hour: unknown");
  expect(sayHour({ ...seen, minutes: [] })).toBe("Not among the busiest clients in the last hour");
});
