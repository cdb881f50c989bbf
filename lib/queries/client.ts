import * as z from "zod/mini";
import { entryRecord, historyReply, knownHits, listHits } from "./entries.ts";
import { feedItem } from "./feed.ts";
import { habits, keptSamples, shareOf } from "./habits.ts";
import { query, withParameters } from "./query.ts";
import { calendar, clientCount, list } from "./shapes.ts";

const entry = z.object({
  list,
  address: z.string(),
  reason: z.string(),
  by: z.optional(z.string()),
  tags: z.optional(z.readonly(z.array(z.string()))),
  expiresAt: z.nullable(z.number()),
  /** Why it is not enforced. */
  notEnforced: z.optional(z.string()),
});

const level = z.object({
  name: z.string(),
  algorithm: z.string(),
  used: z.number(),
  limit: z.number(),
  periodSeconds: z.number(),
  calendar,
  resetSeconds: z.number(),
  isOver: z.boolean(),
  isShadowed: z.boolean(),
  isDeciding: z.boolean(),
  says: z.string(),
});
export type ClientLevel = z.output<typeof level>;

const step = z.object({
  step: z.enum(["client", "safelist", "blocklist", "feeds", "customer", "requests", "rules"]),
  decides: z.boolean(),
  says: z.string(),
  entries: z.array(entry),
  rules: z.array(level),
  /** How far each rule with slack may be exceeded, and how far it was in the last hour. */
  slack: z.array(z.object({ rule: z.string(), says: z.string() })),
});
export type ClientStep = z.output<typeof step>;

const counted = z.object({ text: z.string(), count: z.number() });
const fingerprint = z.extend(shareOf, {
  /** Nodes kept only a part of its path or user agent. */
  isCut: z.boolean(),
});

const day = z.object({
  /** Minutes with requests, the oldest first: those in which the client was among the busiest of an app. */
  minutes: z.array(z.object({ at: z.number(), requests: z.number(), denied: z.number() })),
  /** Minutes of which no node reported anything. */
  unknownMinutes: z.number(),
  /** Null for a range: requests are counted by address. */
  firstAt: z.nullable(z.number()),
  lastAt: z.nullable(z.number()),
});
export type ClientDay = z.output<typeof day>;

const samples = z.extend(keptSamples, {
  /** The newest denials, then the newest requests that passed. */
  latest: z.array(feedItem),
});

export const clientReply = z.extend(habits, {
  asOf: z.number(),
  /** Canonical. */
  client: z.string(),
  /** The request that is explained. */
  asked: z.object({
    app: z.string(),
    method: z.string(),
    path: z.string(),
    customerId: z.optional(z.string()),
  }),
  outcome: z.enum(["pass", "safelisted", "blocked", "throttled"]),
  status: z.number(),
  /** False where lists, rules or counters could not be read: a pass then is a guess. */
  isCertain: z.boolean(),
  /** The outcome and what decides it, in one sentence. */
  says: z.string(),
  steps: z.array(step),
  /** Of its first EARRRL level, the oldest first. The console reads those of busy clients every few seconds. */
  estimates: z.array(z.object({ at: z.number(), estimate: z.number() })),
  /** Of the last 24 h. Null: the statistics could not be read. */
  day: z.nullable(day),
  /** Of the last 24 h, by samples. Null: none was kept. */
  samples: z.nullable(samples),
  customers: z.array(shareOf),
  /** `<host>:<path>:<method>:<ip>:<user agent>`, and the last two alone. */
  fingerprints: z.object({ standard: z.array(fingerprint), broad: z.array(fingerprint) }),
  /** Other recent clients of the same network, IPv4 /24 or IPv6 /48. Null: they could not be read. */
  neighbours: z.nullable(z.array(clientCount)),
  /** Further clients of that network with samples of the last 24 h, the latest first. Null: they could not be read. */
  earlierNeighbours: z.nullable(z.array(z.object({ client: z.string(), lastAt: z.number() }))),
});
export type ClientReply = z.output<typeof clientReply>;

/** Why a client gets its verdict, and its recent requests. */
export const clientDetail = (
  client: string,
  asked: { app?: string | undefined; path?: string | undefined },
) =>
  query(
    ["client", client, asked],
    withParameters(`/api/clients/${encodeURIComponent(client)}`, asked),
    clientReply,
  );

export const reachReply = z.object({
  asOf: z.number(),
  /** Canonical: the address of the entry. */
  address: z.string(),
  /** Of the last hour, by the minutes in which its clients were among the busiest. */
  requests: z.number(),
  denied: z.number(),
  /** The number of these clients. */
  clients: z.number(),
  /** The busiest of them. */
  busiest: z.array(clientCount),
  /** Customers that used these addresses within a week, with their requests in the last hour. Null: they could not be read. */
  customers: z.nullable(z.array(counted)),
  /** No customer that used them since then is missing. Null: customers may be missing. */
  customersKnownSince: z.nullable(z.number()),
  /** Counted together with others of this network: the numbers are an upper end. */
  countedWith: z.nullable(z.string()),
});
export type Reach = z.output<typeof reachReply>;

/** The clients that an entry for an address or range would have affected in the last hour. */
export const clientReach = (address: string) =>
  query(["reach", address], `/api/clients/${encodeURIComponent(address)}/reach`, reachReply);

const listingsReply = z.extend(z.omit(historyReply, { hits: true }), {
  /** Of the address and of every range around it, the newest first. */
  records: z.array(z.extend(entryRecord, { list, address: z.string() })),
  /** Requests that the present entries decided. Missing where they could not be read. */
  entries: z.optional(
    z.array(
      z.object({
        list,
        address: z.string(),
        hits: z.extend(listHits, z.pick(knownHits, { since: true }).shape),
      }),
    ),
  ),
});
export type Listings = z.output<typeof listingsReply>;

/** The history of an address on both lists, alone or within a range. Its key is that of the lists, so a change of them refetches it. */
export const clientListings = (client: string) =>
  query(["lists", "around", client], `/api/clients/${encodeURIComponent(client)}/listings`, listingsReply);
