import { expect, it } from "vitest";
import { now, passing } from "@/components/console/vitest.client.ts";
import type { Reach } from "@/lib/queries/client.ts";
import type { LookUpEntry, LookUpReply } from "@/lib/queries/look-up.ts";
import { type LookUpAsked, optionsOf } from "./look-up-options.ts";

const nothing: LookUpReply = {
  ...{ denial: null, address: null, suggestion: null, problem: null, customer: null },
  ...{ rules: [], overrides: [], values: [] },
};
const loading = { data: undefined, error: null };
const options = (text: string, found?: Partial<LookUpReply>, more: Partial<LookUpAsked> = {}) =>
  optionsOf({
    ...{ text, found: found && { ...nothing, ...found } },
    links: { data: [], error: null },
    ...{ mayCreate: true, mayList: true, client: loading, reach: loading, now, ...more },
  });
const labels = (...asked: Parameters<typeof options>) => options(...asked).map(({ label }) => label);

const entry = { reason: "", by: null, expiresAt: null, notEnforced: null };
const address = { text: "203.0.113.9", isRange: false, isYours: false, covering: [] };
const range = { ...address, text: "203.0.113.0/24", isRange: true };
it("offers every page before the user types, then pages by name or topic", () => {
  expect(labels("")).toEqual([
    ...["Overview", "Offenders", "Blocklist", "Safelist"],
    ...["Feeds", "Alarms", "Customers", "Overrides", "Policy", "Edge", "Lab"],
    ...["Denials", "Audit", "API", "Settings"],
  ]);
  expect(labels("bl")).toEqual(["Blocklist"]);
  expect(labels("UNDO")).toEqual(["Audit"]);
  expect(labels("lock")).toEqual([]);
});

it("begins with the client itself, whatever is known of it", () => {
  const first = (more: Partial<LookUpAsked>) => options("203.0.113.9", { address }, more)[0];
  expect(first({})).toMatchObject({
    ...{ group: "Client", label: "203.0.113.9", detail: "Loading its state…" },
    leadsTo: { href: "/clients/203.0.113.9" },
  });
  expect(first({ client: { data: passing, error: null } })).toMatchObject({
    badge: { tone: "pass", says: "Passes" },
    detail: "no request recorded in the last 24 h",
  });
  // A stale answer says nothing of now.
  expect(first({ client: { data: passing, error: new Error("Redis does not answer.") } })).toMatchObject({
    badge: { tone: "plain", says: "State unknown" },
    detail: "Redis does not answer.",
  });
});

it("has the client of a denial, what decided and the customer, each with its page", () => {
  const denial: NonNullable<LookUpReply["denial"]> = {
    ...{ outcome: "throttled", says: "It was throttled.", now: "It still applies.", client: "203.0.113.9" },
    ...{ customer: "acme", entry: null, feed: null, rule: "login" },
  };
  expect(options("slr-1", { denial })).toMatchObject([
    { label: "203.0.113.9", badge: { tone: "throttled" }, leadsTo: { href: "/clients/203.0.113.9" } },
    { label: "Rule login", leadsTo: { href: "/policy?rule=login" } },
    { label: "Customer acme", leadsTo: { href: "/customers/acme" } },
  ]);
  const blocked = { ...denial, outcome: "blocked", customer: null, rule: null } satisfies typeof denial;
  expect(labels("slr-1", { denial: { ...blocked, entry: "203.0.113.0/24" } })).toEqual([
    ...["203.0.113.9", "Blocklist entry 203.0.113.0/24"],
  ]);
  expect(labels("slr-1", { denial: { ...blocked, client: null, feed: "scanners" } })).toEqual([
    "Feed scanners",
  ]);
});

it("then has the commands of the role, the entries and the audit records", () => {
  expect(labels("203.0.113.9", { address })).toEqual([
    ...["203.0.113.9", "Block 203.0.113.9 for 24 h", "Block 203.0.113.9…", "Safelist 203.0.113.9…"],
    "Audit records of 203.0.113.9",
  ]);
  expect(labels("203.0.113.9", { address }, { mayList: false })).toEqual([
    ...["203.0.113.9", "Audit records of 203.0.113.9"],
  ]);
  expect(labels("203.0.113.9", { address: { ...address, isYours: true } })).toEqual([
    ...["203.0.113.9", "Safelist 203.0.113.9…", "Audit records of 203.0.113.9"],
  ]);
});

it("carries the evidence into a block", () => {
  const data = { ...passing, userAgents: [{ text: "sqlmap/1.7", share: 1, tool: "sqlmap" }] };
  const [, block] = options("203.0.113.9", { address }, { client: { data, error: null } });
  expect(block?.leadsTo).toEqual({
    command: { kind: "block", address: "203.0.113.9", ttlMs: 86_400_000, reason: "uses sqlmap" },
  });
});

it("unblocks the entry that is enforced, and names it if it is a range", () => {
  const covering: LookUpEntry[] = [
    { ...entry, list: "blocklist", address: "203.0.113.9", notEnforced: "a trusted proxy" },
    { ...entry, list: "blocklist", address: "203.0.113.0/24" },
    { ...entry, list: "blocklist", address: "203.0.112.0/20" },
  ];
  const found = options("203.0.113.9", { address: { ...address, covering } });
  expect(found.slice(1, 3)).toMatchObject([
    {
      label: "Unblock 203.0.113.0/24",
      leadsTo: { command: { kind: "remove", address: "203.0.113.0/24", others: ["203.0.112.0/20"] } },
    },
    { label: "Change expiry of 203.0.113.0/24 on the blocklist…", leadsTo: { command: { kind: "expiry" } } },
  ]);
});

it("says which clients and customers are in a range, and changes its own entry alone", () => {
  const data: Reach = {
    ...{ asOf: 0, address: range.text, requests: 40, denied: 2, clients: 5, busiest: [] },
    ...{ customers: [{ text: "3008", count: 1 }], customersKnownSince: 0, countedWith: null },
  };
  const covering: LookUpEntry[] = [{ ...entry, list: "blocklist", address: "203.0.112.0/20" }];
  const found = options(range.text, { address: { ...range, covering } }, { reach: { data, error: null } });
  expect(found[0]).toMatchObject({
    ...{ label: "203.0.113.0/24", badge: { says: "range" } },
    detail: "5 clients in the last hour · 2 of 40 requests denied · 1 customer: 3008",
    leadsTo: { href: "/clients/203.0.113.0%2F24" },
  });
  expect(found.slice(1, 3).map(({ label }) => label)).toEqual([
    ...["Block 203.0.113.0/24…", "Safelist 203.0.113.0/24…"],
  ]);
});

it("lists the entries that cover an address, and the one that decides", () => {
  const covering: LookUpEntry[] = [
    { ...entry, list: "safelist", address: "203.0.113.0/26", reason: "campus", notEnforced: "too wide" },
    { ...entry, list: "safelist", address: "203.0.113.9", reason: "office" },
  ];
  const found = options("203.0.113.9", { address: { ...address, covering } }, { mayList: false });
  expect(found.slice(1, 3)).toMatchObject([
    { label: "Safelist entry 203.0.113.0/26", detail: "too wide", note: "not enforced", icon: "safelisted" },
    {
      ...{ label: "Safelist entry 203.0.113.9", detail: "office", note: "decides" },
      leadsTo: { href: "/safelist?q=203.0.113.9" },
    },
  ]);
});

it("links the value of a header or cookie to the rule that counted it", () => {
  const counts = "x-api-key:hmac-0123456789abcdef0123456789abcdef";
  const value = { name: "key/60", rule: "key", counts, says: "key/60: 5 of 5", isOver: true };
  expect(options("sk_live_1", { values: [value] })).toMatchObject([
    {
      ...{ label: `Counted by rule key as ${counts}`, detail: "key/60: 5 of 5", icon: "throttled" },
      leadsTo: { href: "/policy?rule=key" },
    },
  ]);
});

it("links to rules, after a page whose name is being typed", () => {
  const rules = [{ name: "policy-api", mode: "shadow" as const, says: "5 per 1 min" }];
  expect(options("policy-a", { rules })).toMatchObject([
    { label: "Rule policy-api", note: "shadow", leadsTo: { href: "/policy?rule=policy-api" } },
  ]);
  expect(labels("policy", { rules })).toEqual(["Policy", "Rule policy-api"]);
});

it("keeps a range whole in the link", () => {
  const covering = [{ ...entry, list: "blocklist", address: "2001:db8::/32" } as const];
  const found = options("2001:db8::1", { address: { ...address, text: "2001:db8::1", covering } });
  expect(found.map(({ leadsTo }) => leadsTo)).toContainEqual({ href: "/blocklist?q=2001%3Adb8%3A%3A%2F32" });
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
      ...{ label: "Customer big.shop@example.org", detail: "tier pro, custom throttle" },
      leadsTo: { href: "/customers/big.shop%40example.org" },
    },
  ]);
  const seen = { id: "acme", isKnown: true, tier: null, hasOverride: false };
  expect(options("acme", { customer: seen })).toMatchObject([
    { detail: "no tier, no custom throttle", leadsTo: { href: "/customers/acme" } },
  ]);
  const customer = { id: "audit", isKnown: false, tier: null, hasOverride: false };
  expect(labels("audit", { customer })).toEqual([
    ...["Audit", "Customers that begin with audit", "Create customer audit"],
  ]);
  expect(labels("audit", { customer }, { mayCreate: false })).toEqual([
    ...["Audit", "Customers that begin with audit"],
  ]);
});

it("fills in links to other systems", () => {
  const link = { by: "", at: "", name: "Logs" };
  const data = [
    { ...link, kind: "client" as const, template: "https://logs.example.org/?q={ip}" },
    { ...link, kind: "customer" as const, template: "https://crm.example.org/{customer}" },
  ];
  const links = { data, error: null };
  expect(options("2001:db8::1", { address: { ...address, text: "2001:db8::1" } }, { links }).at(-1)).toEqual({
    ...{ id: "link client Logs", group: "Pages", icon: "link", label: "Logs of 2001:db8::1" },
    ...{ note: "opens in a new tab", leadsTo: { url: "https://logs.example.org/?q=2001%3Adb8%3A%3A1" } },
  });
  const customer = { id: "acme", isKnown: true, tier: "pro", hasOverride: false };
  expect(options("acme", { customer }, { links }).at(-1)).toMatchObject({
    leadsTo: { url: "https://crm.example.org/acme" },
  });
});

it("gives every option a unique id", () => {
  const covering = [
    { ...entry, list: "safelist", address: "203.0.113.9" },
    { ...entry, list: "blocklist", address: "203.0.113.9" },
  ] as const;
  const customer = { id: "203.0.113.9", isKnown: true, tier: "pro", hasOverride: false };
  const ids = options("203.0.113.9", { address: { ...address, covering: [...covering] }, customer }).map(
    ({ id }) => id,
  );
  expect(new Set(ids).size).toBe(ids.length);
});

it("finds groups and patterns of customers", () => {
  const overrides = [{ name: "premium_*", says: "20,000 per 1 h" }];
  expect(options("premium_7", { overrides })).toMatchObject([
    {
      label: "premium_*",
      note: "override of a pattern",
      detail: "20,000 per 1 h",
      leadsTo: { href: "/overrides" },
    },
  ]);
});
