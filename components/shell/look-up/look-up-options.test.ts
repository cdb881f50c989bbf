import { expect, it } from "vitest";
import type { LookUpReply } from "@/lib/queries/look-up.ts";
import { optionsOf } from "./look-up-options.ts";

const nothing: LookUpReply = { address: null, suggestion: null, problem: null, customer: null, values: [] };
const options = (text: string, found?: Partial<LookUpReply>, mayCreate = true) =>
  optionsOf({ text, found: found && { ...nothing, ...found }, mayCreate });
const labels = (...asked: Parameters<typeof options>) => options(...asked).map(({ label }) => label);

const entry = { by: null, expiresAt: null, notEnforced: null };
const address = { text: "203.0.113.9", isRange: false, isYours: false, covering: [] };

it("offers every page before the user types, then pages by name or topic", () => {
  expect(labels("")).toEqual([
    ...["Overview", "Offenders", "Blocklist", "Safelist"],
    ...["Customers", "Policy", "Edge", "Lab", "Audit", "Settings"],
  ]);
  expect(labels("bl")).toEqual(["Blocklist"]);
  expect(labels("UNDO")).toEqual(["Audit"]);
  expect(labels("lock")).toEqual([]);
});

it("lists the entries that cover an address, the one that decides, and the lists without an entry", () => {
  const covering = [
    { ...entry, list: "safelist", address: "203.0.113.0/26", reason: "campus", notEnforced: "too wide" },
    { ...entry, list: "safelist", address: "203.0.113.9", reason: "office" },
  ] as const;
  const found = options("203.0.113.9", { address: { ...address, covering: [...covering] } });
  expect(found).toMatchObject([
    { label: "Safelisted by 203.0.113.0/26", detail: "too wide", note: "not enforced", tone: "safelisted" },
    {
      label: "Safelisted by 203.0.113.9",
      detail: "office",
      note: "decides",
      leadsTo: { href: "/safelist?q=203.0.113.9" },
    },
    { label: "Not on the blocklist", leadsTo: { href: "/blocklist?q=203.0.113.9" } },
  ]);
});

it("links the value of a header or cookie to the rule that counted it", () => {
  const counts = "x-api-key:hmac-0123456789abcdef0123456789abcdef";
  const value = { name: "key/60", rule: "key", counts, says: "key/60: 5 of 5", isOver: true };
  expect(options("sk_live_1", { values: [value] })).toMatchObject([
    {
      ...{ label: `Counted by rule key as ${counts}`, detail: "key/60: 5 of 5", tone: "throttled" },
      leadsTo: { href: "/policy?rule=key" },
    },
  ]);
});

it("keeps a range whole in the link", () => {
  const covering = [{ ...entry, list: "blocklist", address: "2001:db8::/32", reason: "" } as const];
  const [first] = options("2001:db8::1", { address: { ...address, text: "2001:db8::1", covering } });
  expect(first?.leadsTo).toEqual({ href: "/blocklist?q=2001%3Adb8%3A%3A%2F32" });
});

it("offers a correction of the typed text", () => {
  const suggestion = { text: "203.0.113.0/24", reason: "203.0.113.9/24 begins inside its range" };
  expect(options("203.0.113.9/24", { suggestion })).toMatchObject([
    { label: "Look up 203.0.113.0/24", leadsTo: { text: "203.0.113.0/24" } },
  ]);
});

it("links to a customer, and offers to create one only to users with the permission, after existing results", () => {
  const known = { id: "big.shop@example.org", isKnown: true, tier: "pro", hasOverride: true };
  expect(options("big.shop@example.org", { customer: known })).toMatchObject([
    {
      label: "Customer big.shop@example.org",
      detail: "tier pro, custom throttle",
      leadsTo: { href: "/customers/big.shop%40example.org" },
    },
  ]);
  const customer = { id: "audit", isKnown: false, tier: null, hasOverride: false };
  expect(labels("audit", { customer })).toEqual([
    "Audit",
    "Customers that begin with audit",
    "Create customer audit",
  ]);
  expect(labels("audit", { customer }, false)).toEqual(["Audit", "Customers that begin with audit"]);
});

it("gives every option a unique id", () => {
  const covering = [
    { ...entry, list: "safelist", address: "203.0.113.9", reason: "a" },
    { ...entry, list: "blocklist", address: "203.0.113.9", reason: "b" },
  ] as const;
  const customer = { id: "203.0.113.9", isKnown: true, tier: "pro", hasOverride: false };
  const ids = options("203.0.113.9", { address: { ...address, covering: [...covering] }, customer }).map(
    ({ id }) => id,
  );
  expect(new Set(ids).size).toBe(ids.length);
});
