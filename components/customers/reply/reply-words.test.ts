import { expect, it } from "vitest";
import type { LevelUsage } from "@/lib/queries/customer.ts";
import { replyTo } from "./reply-words.ts";

const at = Date.parse("2026-11-18T20:41:07.000Z");
const firstMinute = Math.floor(at / 60_000) - 1_439;
const level: LevelUsage = {
  ...{ rule: "req/customer", algorithm: "fixed", limit: 100, periodSeconds: 3_600, used: 100 },
  ...{ resetMs: Date.parse("2026-11-18T21:00:00.000Z") - at, isOver: true, isShadowed: false, isOwn: true },
};
const now = { now: at, mode: "enforce", override: null, suspension: null, usage: [level] } as const;
/** 41 full minutes since 20:00, and the running one. */
const requests = Array.from({ length: 1_440 }, (_, i) => (i >= 1_440 - 42 ? 4 : 50));
const day = { firstMinute, requests, unknown: [], denials: [] };

const free = { address: "192.0.2.30", entry: null, rule: null };
const entry = { address: "192.0.2.30", reason: "abuse", by: null, at: null };
const blocked = { ...free, entry: { ...entry, expiresAt: at + 24 * 3_600_000 } };
const one = { total: 1, addresses: [free] };

it("promises no next request where each known address is blocked, and says until when", () => {
  const said = replyTo(now, day, { total: 1, addresses: [blocked] });
  expect(said).toBe(
    "Requests from 192.0.2.30 are answered with 403 until 19 Nov, 20:42 UTC. You made 168 requests since 20:00 UTC; your plan allows 100 per hour.",
  );
  const forever = { ...blocked, entry: { ...entry, expiresAt: null } };
  expect(replyTo(now, day, { total: 1, addresses: [forever] })).toContain("answered with 403. You");
  const other = { ...free, address: "192.0.2.31" };
  expect(replyTo(now, day, { total: 2, addresses: [blocked, other] })).toContain(
    "From other addresses, the next request is possible at 21:00 UTC.",
  );
  const slow = { ...other, rule: { name: "req/ip", resetSeconds: 3_600 } };
  expect(replyTo(now, day, { total: 1, addresses: [slow] })).toContain("possible at 21:42 UTC.");
  expect(replyTo(now, day)).toContain("This limit allows the next request at 21:00 UTC.");
});

it("says of a suspended account that it is suspended, and until when", () => {
  const suspended = (expiresAt: number | null) => ({
    ...now,
    suspension: { expiresAt, note: { reason: "abuse" } },
  });
  expect(replyTo(suspended(null), undefined)).toBe(
    "Your account is suspended: its requests are answered with 403.",
  );
  expect(replyTo(suspended(at + 3_600_000), day, one)).toBe(
    "Your account is suspended until 21:42 UTC: its requests are answered with 403.",
  );
});

it("says what the customer did, what its plan allows and when the next request is possible", () => {
  expect(replyTo(now, day, one)).toBe(
    "You made 168 requests since 20:00 UTC; your plan allows 100 per hour. The next request is possible at 21:00 UTC.",
  );
});

it("names neither the plan of a customer with its own limits nor a rule for everyone as its plan", () => {
  const levels = [{ limit: 100, periodSeconds: 3_600 }];
  const override = { levels, expiresAt: null, note: { reason: "a deal", by: "ada@example.org" } };
  const reply = replyTo({ ...now, override }, day);
  expect(reply).toContain("; your limit is 100 per hour.");
  expect(reply).not.toMatch(/deal|ada|req\/customer/);
  expect(replyTo({ ...now, usage: [{ ...level, isOwn: false }] }, day)).toContain(
    "the limit for everyone is 100 per hour",
  );
});

it("counts no minutes that are unknown, and none whose reports are still to come", () => {
  const without =
    "You made all requests that are allowed for now; your plan allows 100 per hour. The next request is possible at 21:00 UTC.";
  expect(replyTo(now, undefined, one)).toBe(without);
  expect(replyTo(now, { ...day, unknown: [[1_420, 2]] }, one)).toBe(without);
  expect(replyTo(now, { ...day, unknown: [[10, 2]] })).toContain("168 requests");
  expect(replyTo(now, { ...day, requests: requests.map(() => 1) }, one)).toBe(without);
});

it("names the limit that denies the longest", () => {
  const minute = { ...level, limit: 9, periodSeconds: 60, resetMs: 20_000 };
  expect(replyTo({ ...now, usage: [minute, level] }, undefined, one)).toContain("possible at 21:00 UTC");
});

it("rounds the time up, and names another day", () => {
  const usage = [{ ...level, periodSeconds: 86_400, resetMs: 4 * 3_600_000 }];
  expect(replyTo({ ...now, usage }, undefined, one)).toContain("possible at 19 Nov, 00:42 UTC.");
});

it("says a rate as a rate", () => {
  const rate = { ...level, algorithm: "earrrl", limit: 0.5, used: 0.82, periodSeconds: 60, resetMs: 40_000 };
  expect(replyTo({ ...now, usage: [rate] }, day, one)).toBe(
    "You made 0.82 requests per second on average; your plan allows 0.5 per second on average. The next request is possible at 20:42 UTC.",
  );
});

it("says what is used where no limit denies, and does not claim that requests pass", () => {
  const usage = [{ ...level, used: 40, isOver: false }];
  expect(replyTo({ ...now, usage }, day)).toBe(
    "Your plan allows 100 per hour. You have used 40 requests of that.",
  );
});

it("names an address whose requests were blocked in the last hour", () => {
  const of = (ip: string, secondsAgo: number, outcome: "blocked" | "throttled") => ({
    ...{ ip, outcome, at: at - secondsAgo * 1_000 },
  });
  const denials = [
    of("192.0.2.30", 60, "blocked"),
    of("192.0.2.30", 7, "blocked"),
    of("192.0.2.31", 7, "throttled"),
    of("192.0.2.32", 4_000, "blocked"),
  ];
  const usage = [{ ...level, used: 40, isOver: false }];
  expect(replyTo({ ...now, usage }, { ...day, denials })).toBe(
    "Requests from 192.0.2.30 were answered with 403, the latest known one at 20:41 UTC. Your plan allows 100 per hour. You have used 40 requests of that.",
  );
});

it("says nothing while counters, limits or enforcement are missing", () => {
  expect(replyTo({ ...now, usage: null }, day)).toBeUndefined();
  expect(replyTo({ ...now, usage: [] }, day)).toBeUndefined();
  expect(replyTo({ ...now, mode: "off" }, day)).toBeUndefined();
  expect(replyTo({ ...now, usage: [{ ...level, isShadowed: true }] }, day)).toBeUndefined();
});
