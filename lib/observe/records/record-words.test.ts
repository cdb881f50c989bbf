import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import type { AuditRecord, RecordedChange, StoredValue, UndoTarget } from "../../manage/audit/record.ts";
import { sayDuration } from "../../manage/audit/time-words.ts";
import { testLists } from "../../manage/lists/vitest.context.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { undoable } from "../../manage/undo/undoable.ts";
import { writeUser } from "../../manage/users/user.ts";
import { plainly } from "./pieces.ts";
import { policyDiff } from "./policy-diff.ts";
import { sayAttempt, sayRecord } from "./record-words.ts";
import { saySides } from "./sides.ts";

const lists = testLists();
const at = "2026-03-21T12:00:00.000Z";
const week = "2026-03-28T12:00:00.004Z";
const twoWeeks = "2026-04-04T12:00:00.000Z";

const standing = (value: string | null, expiresAt: string | null = null): StoredValue => ({
  value,
  expiresAt,
});
const entry = (expiresAt: string | null) => standing('{"reason":"scraper","by":"ada"}', expiresAt);
const change = (target: string, before: StoredValue | null, after: StoredValue | null): RecordedChange => ({
  ...{ target, before, after },
});

function record(action: string, changes: readonly RecordedChange[], undoes?: UndoTarget): AuditRecord {
  const said = { n: 9, at, actor: "ada@example.org", via: "console", reason: "", change: 9 };
  return { ...said, action: undoes ? "undo" : action, changes, ...(undoes && { undoes }) };
}

const said = (action: string, changes: readonly RecordedChange[], isUndo = false) =>
  plainly(sayRecord(record(action, changes, isUndo ? { n: 4, action } : undefined)));
const [one, two] = ["203.0.113.9", "203.0.113.10"];
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => change(`203.0.113.${i}`, null, entry(week)));

describe("a record with parts", () => {
  const state = { parts: 4, mac: "", change: 9, left: 0, isClosed: true, latestEnd: 0, reached: 0 };
  const bulk = (action: string, done: number, more: object = {}, undoes?: UndoTarget) =>
    plainly(
      sayRecord({
        ...record(action, [], undoes),
        bulk: { wanted: 120_430, digest: "", mac: "", state: { ...state, done, ...more } },
      }),
    );

  it("says how many entries, and how far it got", () => {
    expect(bulk("blocklist.import", 120_430)).toBe("imported into the blocklist: 120,430 entries");
    expect(bulk("blocklist.import", 1_500, { isClosed: false })).toBe(
      "imported into the blocklist: 1,500 of 120,430 entries so far",
    );
    expect(bulk("safelist.add", 1)).toBe("safelisted: 1 entry");
    expect(bulk("blocklist.remove", 600)).toBe("removed from the blocklist: 600 entries");
    expect(bulk("blocklist.extend", 600)).toBe("extended entries of the blocklist: 600 entries");
    expect(bulk("blocklist.feed", 600)).toBe("changed the blocklist: 600 entries");
  });

  it.each([
    ["nothing", 0, "lists"],
    ["a week", Date.now() + 7 * 86_400_000, "lists"],
    ["a year", Date.now() + 365 * 86_400_000, "lists-forever"],
    ["an entry that never expires", null, "lists-forever"],
  ])("whose undo puts back %s is undone by those who may set it", (_, latestEnd, needs) => {
    const parts = { ...state, done: 600, latestEnd };
    const about = {
      ...record("blocklist.remove", []),
      bulk: { wanted: 600, digest: "", mac: "", state: parts },
    };
    expect(undoable(about)).toMatchObject({ can: true, needs });
  });

  it("says what an undo took back, and what stays", () => {
    const undoes = { n: 4, action: "blocklist.import" };
    expect(bulk("undo", 600, {}, undoes)).toBe(
      "undid record 4: put entries of the blocklist back as they were: 600 entries",
    );
    expect(bulk("undo", 600, { left: 2 }, { ...undoes, entries: 602 })).toBe(
      "undid 602 of the entries of record 4: put entries of the blocklist back as they were: 600 entries, 2 changed since stay",
    );
  });

  it("says so when its parts are not as they were written", () => {
    const lost = { ...record("blocklist.import", []), bulk: { wanted: 9, digest: "", mac: "" } };
    expect(plainly(sayRecord(lost))).toBe("imported into the blocklist: how many cannot be read");
  });
});

describe("in words", () => {
  it.each([
    ["blocklist.add", [change(one, null, entry(week))], "blocked 203.0.113.9 for 1 week"],
    ["safelist.add", [change(one, null, entry(null))], "safelisted 203.0.113.9 permanently"],
    [
      "blocklist.add",
      [change(one, null, entry(week)), change(two, null, entry(null))],
      "blocked 203.0.113.9 and 203.0.113.10",
    ],
    ["blocklist.add", many(500), "blocked 203.0.113.0, 203.0.113.1, 203.0.113.2 and 497 more for 1 week"],
    ["blocklist.add", many(4), "blocked 203.0.113.0, 203.0.113.1, 203.0.113.2 and 203.0.113.3 for 1 week"],
    ["safelist.import", many(1), "imported into the safelist: 203.0.113.0 for 1 week"],
    ["safelist.restore", many(1), "restored to the safelist, as Redis had lost it: 203.0.113.0 for 1 week"],
    ["lists.dismiss-loss", [], "decided to leave the lists as Redis came back with them"],
    ["blocklist.ban", [change(one, null, entry(week))], "banned 203.0.113.9 for 1 week"],
    ["blocklist.remove", [change(one, entry(week), null)], "took 203.0.113.9 off the blocklist"],
    [
      "blocklist.extend",
      [change(one, entry(week), entry(twoWeeks))],
      "extended the block of 203.0.113.9 by 1 week",
    ],
    ["blocklist.add", [change(one, entry(week), entry(null))], "made the block of 203.0.113.9 permanent"],
    [
      "safelist.add",
      [change(one, entry(twoWeeks), entry(week))],
      "shortened the safelisting of 203.0.113.9 by 1 week",
    ],
    [
      "customer.tier",
      [change("1042", standing("free"), standing("pro"))],
      "moved customer 1042 from free to pro",
    ],
    ["customer.tier", [change("1042", null, standing("pro"))], "put customer 1042 into pro"],
    ["customer.tier", [change("1042", standing("pro"), null)], "took customer 1042 out of pro"],
    [
      "customer.override",
      [change("acme", null, standing('{"60":"100","3600":"1000"}', week))],
      "gave customer acme levels of its own: 100 per 1 min and 1,000 per 1 h for 1 week",
    ],
    [
      "customer.override.clear",
      [change("acme", standing("{}"), null)],
      "took the own levels of customer acme away",
    ],
    ["customer.reset", [change("acme", null, standing(at, week))], "reset the counters of customer acme"],
    ["never-block.add", [change(one, null, standing("x"))], "made 203.0.113.9 a protected range"],
    ["never-block.remove", [change(one, standing("x"), null)], "let 203.0.113.9 be blocked"],
    [
      "edge.off",
      [change("edge", null, standing('{"isOn":false,"by":"ada","at":"","reason":""}'))],
      "switched limiting at the edge off",
    ],
    [
      "edge.clear",
      [change("GET shop.example/ from 203.0.113.9 as curl", standing("{}"), null)],
      "let in again at the edge: GET shop.example/ from 203.0.113.9 as curl",
    ],
    ["link.set", [change("client Logs", null, standing("{}"))], "set the link Logs of clients"],
    ["link.remove", [change("customer CRM 2", standing("{}"), null)], "removed the link CRM 2 of customers"],
    ["token.create", [change("WAF exporter", null, standing("{}"))], "created the API token WAF exporter"],
    ["token.revoke", [change("WAF exporter", standing("{}"), null)], "revoked the API token WAF exporter"],
    ["note.add", [change(one, null, standing("{}"))], "added a note to 203.0.113.9"],
    ["note.remove", [change("acme", standing("{}"), null)], "removed a note of customer acme"],
    ["note.ticket", [change("acme", null, standing("{}"))], "set the ticket of customer acme"],
    ["note.ticket", [change("acme", standing("{}"), null)], "removed the ticket of customer acme"],
    ["refused:note.add", [], "tried to add a note, and was refused"],
    ["refused:edge.switch", [], "tried to switch limiting at the edge on or off, and was refused"],
    [
      "denials.retention",
      [change("denial log", standing("7"), null)],
      "set the denial log to be kept for 3 days",
    ],
    ["sign-in", [], "signed in"],
    ["refused:sign-in", [], "tried to sign in, and was refused"],
    ["refused:lists.add", [], "tried to add to a list, and was refused"],
    ["refused:constructor", [], "tried to do constructor, and was refused"],
    ["toString", [change("x", null, standing("y"))], "did toString on x"],
    ["user.toString", [change("eve", null, null)], "changed the user eve"],
  ])("%s: %#", (action, changes, words) => {
    expect(said(action, changes)).toBe(words);
  });

  it.each([
    ["blocklist.add", [change(one, entry(week), null)], "took 203.0.113.9 off the blocklist again"],
    ["blocklist.remove", [change(one, null, entry(week))], "put 203.0.113.9 back on the blocklist"],
    [
      "blocklist.extend",
      [change(one, entry(twoWeeks), entry(week))],
      "gave 203.0.113.9 back the end on the blocklist that was set before",
    ],
    [
      "customer.tier",
      [change("1042", standing("pro"), standing("free"))],
      "moved customer 1042 back from pro to free",
    ],
    ["never-block.add", [change(one, standing("x"), null)], "let 203.0.113.9 be blocked again"],
    [
      "edge.off",
      [change("edge", null, standing('{"isOn":true,"by":"ada","at":"","reason":""}'))],
      "switched limiting at the edge back on",
    ],
  ])("an undo of %s: %#", (action, changes, words) => {
    expect(said(action, changes, true)).toBe(`undid record 4: ${words}`);
  });

  it("of users, by role", () => {
    const user = (role: "viewer" | "staff") =>
      standing(writeUser({ role, version: 1, since: "", by: "password" }));
    const was = [change("eve@example.org", user("viewer"), user("staff"))];
    expect(said("user.role", was)).toBe("changed the role of eve@example.org from viewer to staff");
    expect(said("user.role", was, true)).toContain(
      "changed the role of eve@example.org back from viewer to staff",
    );
  });

  it("says what was refused, and nothing of what was done", () => {
    expect(sayAttempt({ action: "refused:lists.add" })).toEqual(["add to a list"]);
    expect(sayAttempt({ action: "blocklist.add" })).toBeUndefined();
  });

  it("keeps what others wrote apart from its own words", () => {
    const hostile = "<b>\u202e, and was refused";
    expect(sayRecord(record(hostile, [change(hostile, null, null)]))).toEqual([
      "did ",
      { text: hostile, is: "name" },
      " on ",
      { text: hostile, is: "name" },
    ]);
  });
});

describe("before and after", () => {
  const sides = (action: string, one: RecordedChange) => {
    const { before, after } = saySides(record(action, [one]), one);
    return [plainly(before), plainly(after)];
  };

  it("of a note, a ticket and a link: the text and its author", () => {
    const note = standing('{"text":"keep it","by":"ada","at":""}');
    expect(sides("note.add", change(one, null, note))).toEqual(["no note", "keep it, by ada"]);
    expect(sides("note.ticket", change(one, note, null))).toEqual(["keep it, by ada", "no ticket"]);
    const link = standing('{"template":"https://x.example/{ip}","by":"ada"}');
    expect(sides("link.set", change("client Logs", null, link))).toEqual([
      "no link",
      "https://x.example/{ip}, by ada",
    ]);
  });

  it("of a token: what it may do, and until when", () => {
    const token = (rest: object) => standing(JSON.stringify({ name: "ci", scopes: ["read"], ...rest }));
    expect(sides("token.create", change("ci", null, token({ until: null })))).toEqual([
      "no token",
      "may read, never expires",
    ]);
    expect(sides("token.revoke", change("ci", token({ until: at, app: "shop" }), null))).toEqual([
      `may read for shop, until ${at}`,
      "no token",
    ]);
  });

  it("of an entry: until when, by which author and why", () => {
    expect(sides("blocklist.extend", change(one, standing("by hand"), entry(week)))).toEqual([
      "never expires: by hand",
      "until 2026-03-28 12:00 UTC, by ada: scraper",
    ]);
    expect(sides("blocklist.remove", change(one, { ...standing(null), type: "hash" }, null))).toEqual([
      "a hash that Sluice did not write",
      "not on the blocklist",
    ]);
  });

  it("of a customer, a range and whatever else", () => {
    expect(sides("customer.override", change("a", null, standing('{"60":"1"}', week)))).toEqual([
      "no levels of its own",
      "1 per 1 min, until 2026-03-28 12:00 UTC",
    ]);
    expect(sides("never-block.add", change(one, null, standing("office")))).toEqual([
      "may be blocked",
      "never blocked: office",
    ]);
    expect(sides("x", change(one, null, standing("y".repeat(900))))[1]).toHaveLength(300);
  });
});

describe("what a record changed of the policy", () => {
  it("is described by its rules, also when the record holds only the beginning of it", async () => {
    const ctx = lists.ctx();
    const rules = Array.from({ length: 30 }, (_, i) => ({ ...defaultPolicy.rules[0], name: `rule/${i}` }));
    await setPolicy(ctx, { policy: { ...defaultPolicy, rules }, basedOn: 0, reason: "" });
    await setMode(ctx, { mode: "shadow", reason: "" });
    const [first, second] = await lists.records();
    if (!first || !second) throw new Error("two records were written");
    expect(second.changes[0]?.before?.value?.length).toBe(4_096);
    expect(await policyDiff(ctx.redis, first)).toContain("Rule req/ip/1 is removed.");
    expect(await policyDiff(ctx.redis, second)).toEqual(["The mode goes from enforce to shadow."]);
    expect(plainly(sayRecord(second))).toBe("switched the mode from enforce to shadow");
    expect(plainly(sayRecord(first))).toBe("saved version 1 of the policy");
  });
});

it.each([
  [604_800_004, "1 week"],
  [86_400_000, "24 h"],
  [2 * 86_400_000, "2 days"],
  [601_200_000, "6 days 23 h"],
  [90_000, "1 min 30 s"],
  [3_600_000, "1 h"],
  [86_400_000 + 3_600_000, "1 day 1 h"],
  [10, "under 1 s"],
])("%d ms are %s", (ms, words) => {
  expect(sayDuration(ms)).toBe(words);
});
