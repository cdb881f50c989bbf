import { z } from "zod";
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
  /** Of the last hour; the oldest minute first. */
  minutes: z.array(z.object({ at: z.number(), requests: z.number(), denied: z.number() })),
  /** Of requests that nodes kept lately, with how many each stands for. */
  apps: z.array(counted),
  requests: z.array(counted.extend({ method: z.string() })),
  userAgents: z.array(counted.extend({ tool: z.string().optional() })),
  customers: z.array(counted),
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
