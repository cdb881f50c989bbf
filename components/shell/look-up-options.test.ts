import { expect, it } from "vitest";
import type { LookedUp } from "../../lib/queries/look-up.ts";
import { optionsOf } from "./look-up-options.ts";

const nothing: LookedUp = { address: null, suggestion: null, problem: null, customer: null };
const options = (text: string, found?: Partial<LookedUp>, mayCreate = true) =>
  optionsOf({ text, found: found && { ...nothing, ...found }, mayCreate });
const labels = (...asked: Parameters<typeof options>) => options(...asked).map(({ label }) => label);

const entry = { by: null, expiresAt: null, disobeyed: null };
const address = { text: "203.0.113.9", isRange: false, isYours: false, covering: [] };

it("offers every page before anything is typed, and pages by name or by what they are for", () => {
  expect(labels("")).toEqual([
    ...["Overview", "Offenders", "Blocklist", "Safelist"],
    ...["Customers", "Policy", "Edge", "Lab", "Audit", "Settings"],
  ]);
  expect(labels("bl")).toEqual(["Blocklist"]);
  expect(labels("UNDO")).toEqual(["Audit"]);
  expect(labels("lock")).toEqual([]);
});

it("lists what covers an address, says which entry decides, and where the other list is silent", () => {
  const covering = [
    { ...entry, list: "safelist", address: "203.0.113.0/26", reason: "campus", disobeyed: "too wide" },
    { ...entry, list: "safelist", address: "203.0.113.9", reason: "office" },
  ] as const;
  const found = options("203.0.113.9", { address: { ...address, covering: [...covering] } });
  expect(found).toMatchObject([
    { label: "Safelisted by 203.0.113.0/26", detail: "too wide", note: "not obeyed", tone: "safelisted" },
    {
      label: "Safelisted by 203.0.113.9",
      detail: "office",
      note: "decides",
      leadsTo: { href: "/safelist?q=203.0.113.9" },
    },
    { label: "Not on the blocklist", leadsTo: { href: "/blocklist?q=203.0.113.9" } },
  ]);
});

it("keeps a range whole in the link", () => {
  const covering = [{ ...entry, list: "blocklist", address: "2001:db8::/32", reason: "" } as const];
  const [first] = options("2001:db8::1", { address: { ...address, text: "2001:db8::1", covering } });
  expect(first?.leadsTo).toEqual({ href: "/blocklist?q=2001%3Adb8%3A%3A%2F32" });
});

it("puts what was probably meant in place of what was typed", () => {
  const suggestion = { text: "203.0.113.0/24", reason: "203.0.113.9/24 begins inside its range" };
  expect(options("203.0.113.9/24", { suggestion })).toMatchObject([
    { label: "Look up 203.0.113.0/24", leadsTo: { text: "203.0.113.0/24" } },
  ]);
});

it("leads to a customer, and offers to create one only to whom may and after what exists", () => {
  const known = { id: "big.shop@example.org", isKnown: true, tier: "pro", hasOverride: true };
  expect(options("big.shop@example.org", { customer: known })).toMatchObject([
    {
      label: "Customer big.shop@example.org",
      detail: "tier pro, levels of its own",
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

it("gives every option an id of its own", () => {
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
