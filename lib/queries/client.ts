import { z } from "zod";
import { entryRecord } from "./history.ts";
import { query, withParameters } from "./query.ts";

const entry = z.object({
  list: z.enum(["safelist", "blocklist"]),
  address: z.string(),
  reason: z.string(),
  by: z.string().optional(),
  expiresAt: z.number().nullable(),
  /** Why it does not bite. */
  disobeyed: z.string().optional(),
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
export type LevelTold = z.output<typeof level>;

const step = z.object({
  step: z.enum(["client", "safelist", "blocklist", "rules"]),
  decides: z.boolean(),
  says: z.string(),
  entries: z.array(entry),
  rules: z.array(level),
});
export type StepTold = z.output<typeof step>;

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
  steps: z.array(step),
  /** Of its first EARRRL level, the oldest first: as far as anybody has looked lately. */
  estimates: z.array(z.object({ at: z.number(), estimate: z.number() })),
  /** Of the last hour; the oldest minute first. */
  minutes: z.array(z.object({ at: z.number(), requests: z.number(), denied: z.number() })),
  /** Of requests that nodes kept lately, with how many each stands for. */
  apps: z.array(counted),
  requests: z.array(counted.extend({ method: z.string() })),
  userAgents: z.array(counted.extend({ tool: z.string().optional() })),
  customers: z.array(counted),
  /** `<host>:<path>:<method>:<ip>:<user agent>`, and the last two alone. */
  fingerprints: z.object({ standard: z.array(fingerprint), broad: z.array(fingerprint) }),
  /** Others of the same network, IPv4 /24 or IPv6 /48, that came lately. */
  neighbours: z.array(z.object({ client: z.string(), requests: z.number(), denied: z.number() })),
});
export type ClientReply = z.output<typeof clientReply>;

/** Why a client is treated as it is, and what it does. */
export const clientTold = (client: string, asked: { app?: string | undefined; path?: string | undefined }) =>
  query(
    ["client", client, asked],
    withParameters(`/api/clients/${encodeURIComponent(client)}`, asked),
    clientReply,
  );

export const reachReply = z.object({
  asOf: z.number(),
  /** Canonical: what would be listed. */
  address: z.string(),
  /** Of the last hour, by the minutes in which its clients were among the busiest. */
  requests: z.number(),
  denied: z.number(),
  /** How many clients that were. */
  clients: z.number(),
  /** The busiest of them. */
  busiest: z.array(z.object({ client: z.string(), requests: z.number(), denied: z.number() })),
  /** Customers that nodes saw asking from there, with how many requests that stands for. */
  customers: z.array(counted),
  /** Counted together with others of this network: the numbers are an upper end. */
  countedWith: z.string().nullable(),
});
export type Reach = z.output<typeof reachReply>;

/** Whom an entry for an address or range would have hit in the last hour. */
export const clientReach = (address: string) =>
  query(["reach", address], `/api/clients/${encodeURIComponent(address)}/reach`, reachReply);

const listingsReply = z.object({
  /** How often the address itself was put on either list, not counting what stands there now. */
  listedBefore: z.number(),
  /** False when the log is longer than what was looked through. */
  isWhole: z.boolean(),
  /** Of the address and of every range around it, the newest first. */
  records: z.array(entryRecord.extend({ list: z.enum(["safelist", "blocklist"]), address: z.string() })),
});
export type Listings = z.output<typeof listingsReply>;

/** When an address was on a list, by itself or within a range. Kept with the lists, so that a change of them reads it anew. */
export const clientListings = (client: string) =>
  query(["lists", "around", client], `/api/clients/${encodeURIComponent(client)}/listings`, listingsReply);
