import { expect, it } from "vitest";
import { addressesState } from "@/components/console/client-state.ts";
import type { CustomerAddress, CustomerAddresses } from "@/lib/queries/owners.ts";
import { deniedAddresses, sayAuthor, sayDenied, sayUnchecked } from "./address-words.ts";

const entry = { address: "192.0.2.30", reason: "x", by: null, at: null, expiresAt: null };
const one = (address: string, some: Partial<CustomerAddress> = {}): CustomerAddress => ({
  ...{ address, requests: 1, lastAt: 0, outcome: "pass", entry: null, blockedInside: 0, rule: null },
  ...some,
});
const blocked = (address: string) => one(address, { outcome: "blocked", entry });
const throttled = (address: string) =>
  one(address, { outcome: "throttled", rule: { name: "rate/ip", resetSeconds: 9 } });
const read = (addresses: CustomerAddress[], total = addresses.length): CustomerAddresses => ({
  ...{ asOf: 0, knownSince: null, total, addresses },
});

const sayBadge = (found: CustomerAddresses) => addressesState(deniedAddresses(found))?.says;

it("has no words where no address is denied", () => {
  expect(sayBadge(read([]))).toBeUndefined();
  expect(sayBadge(read([one("192.0.2.30")]))).toBeUndefined();
});

it("says that the only known address is blocked, with the effect", () => {
  const only = read([blocked("192.0.2.30")]);
  expect(sayBadge(only)).toBe("Blocked by address");
  expect(sayDenied(only)).toBe(
    "Its only known address, 192.0.2.30, is on the blocklist. All of its requests get 403.",
  );
});

it("counts addresses where there are others", () => {
  const some = read([blocked("192.0.2.30"), one("192.0.2.31"), throttled("192.0.2.32")], 5);
  expect(sayBadge(some)).toBe("2 of 5 addresses blocked");
  expect(sayDenied(some)).toBe(
    "Its address 192.0.2.30 is on the blocklist. Requests from there get 403. Its address 192.0.2.32 is throttled.",
  );
  expect(sayDenied(read([blocked("a"), blocked("b"), one("c")]))).toBe(
    "2 of its 3 addresses are on the blocklist. Requests from there get 403.",
  );
  expect(sayBadge(read([throttled("a")]))).toBe("Throttled by address");
  expect(sayUnchecked(some)).toBe("Only the latest 3 of its 5 addresses are checked.");
  expect(sayUnchecked(read([one("a")]))).toBeUndefined();
});

it("says that a part of an IPv6 network is blocked", () => {
  const partly = read([one("2001:db8:1:2::/64", { blockedInside: 1 })]);
  expect(sayBadge(partly)).toBe("Blocked in part of a network");
  expect(sayDenied(partly)).toBe(
    "A part of its network 2001:db8:1:2::/64 is on the blocklist. Requests from that part get 403.",
  );
});

it("names the author of an entry, and since when", () => {
  const now = Date.parse("2026-03-28T15:00:00Z");
  expect(sayAuthor({ by: "ada@example.org", at: "2026-03-28T14:34:00Z" }, now)).toBe(
    "by ada@example.org, since 28 Mar, 14:34 UTC",
  );
  expect(sayAuthor({ by: null, at: null }, now)).toBe("added by another program");
});
