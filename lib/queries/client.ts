import { z } from "zod";
import { entryRecord, historyReply } from "./entries.ts";
import { query, withParameters } from "./query.ts";
import { clientCount, list } from "./shapes.ts";

const entry = z.object({
  list,
  address: z.string(),
  reason: z.string(),
  by: z.string().optional(),
  expiresAt: z.number().nullable(),
  /** Why it is not enforced. */
  notEnforced: z.string().optional(),
});

const level = z.object({
  name: z.string(),
  algorithm: z.string(),
  used: z.number(),
  limit: z.number(),
  periodSeconds: z.number(),
  resetSeconds: z.number(),
  isOver: z.boolean(),
  isShadowed: z.boolean(),
  isDeciding: z.boolean(),
  says: z.string(),
});
export type ClientLevel = z.output<typeof level>;

const step = z.object({
  step: z.enum(["client", "safelist", "blocklist", "rules"]),
  decides: z.boolean(),
  says: z.string(),
  entries: z.array(entry),
  rules: z.array(level),
  /** How far each rule with slack may be exceeded, and how far it was in the last hour. */
  slack: z.array(z.object({ rule: z.string(), says: z.string() })),
});
export type ClientStep = z.output<typeof step>;

const counted = z.object({ text: z.string(), count: z.number() });
const fingerprint = counted.extend({
  /** Nodes kept only a part of its path or user agent. */
  isCut: z.boolean(),
});

export const clientReply = z.object({
  asOf: z.number(),
  /** Canonical. */
  client: z.string(),
  /** The request that is explained. */
  asked: z.object({
    app: z.string(),
    method: z.string(),
    path: z.string(),
    customerId: z.string().optional(),
  }),
  outcome: z.enum(["pass", "safelisted", "blocked", "throttled"]),
  status: z.number(),
  /** The outcome and what decides it, in one sentence. */
  says: z.string(),
  steps: z.array(step),
  /** Of its first EARRRL level, the oldest first: those that a page has read recently. */
  estimates: z.array(z.object({ at: z.number(), estimate: z.number() })),
  /** Of the last hour; the oldest minute first. Null: it could not be read. */
  minutes: z.array(z.object({ at: z.number(), requests: z.number(), denied: z.number() })).nullable(),
  /** Of requests that nodes kept recently, with the number of requests that each represents. */
  apps: z.array(counted),
  requests: z.array(counted.extend({ method: z.string() })),
  userAgents: z.array(counted.extend({ tool: z.string().optional() })),
  customers: z.array(counted),
  /** `<host>:<path>:<method>:<ip>:<user agent>`, and the last two alone. */
  fingerprints: z.object({ standard: z.array(fingerprint), broad: z.array(fingerprint) }),
  /** Other recent clients of the same network, IPv4 /24 or IPv6 /48. Null: they could not be read. */
  neighbours: z.array(clientCount).nullable(),
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
  /** Customers that nodes saw at these addresses, with their number of requests. */
  customers: z.array(counted),
  /** Counted together with others of this network: the numbers are an upper end. */
  countedWith: z.string().nullable(),
});
export type Reach = z.output<typeof reachReply>;

/** The clients that an entry for an address or range would have affected in the last hour. */
export const clientReach = (address: string) =>
  query(["reach", address], `/api/clients/${encodeURIComponent(address)}/reach`, reachReply);

const listingsReply = historyReply.extend({
  /** Of the address and of every range around it, the newest first. */
  records: z.array(entryRecord.extend({ list, address: z.string() })),
});
export type Listings = z.output<typeof listingsReply>;

/** The history of an address on both lists, alone or within a range. Its key is that of the lists, so a change of them refetches it. */
export const clientListings = (client: string) =>
  query(["lists", "around", client], `/api/clients/${encodeURIComponent(client)}/listings`, listingsReply);
