import * as z from "zod/mini";
import type { AlarmKind, DestinationKind } from "../manage/alarms/kinds.ts";
import { query } from "./query.ts";

const kind = z.enum([
  ...["attack", "ban", "customer", "request", "mode", "policy"],
  ...["redis", "node", "feed", "expiry", "sign-in"],
] as AlarmKind[]);
const event = z.enum(["opened", "updated", "ended", "test"]);

const incident = z.object({
  id: z.string(),
  kind,
  title: z.string(),
  /** Path of the console's page about it. */
  path: z.string(),
  lines: z.array(z.object({ at: z.number(), text: z.string() })),
  leftOut: z.number(),
  openedAt: z.number(),
  endedAt: z.nullable(z.number()),
  acknowledged: z.nullable(z.object({ by: z.string(), at: z.string() })),
  /** Messages about it, the oldest first. */
  messages: z.array(
    z.object({
      id: z.string(),
      destination: z.string(),
      event,
      at: z.number(),
      /** Why it was given up, or why the last try failed. */
      failure: z.nullable(z.string()),
      state: z.enum(["arrived", "waiting", "given up"]),
      tries: z.number(),
    }),
  ),
});
export type IncidentRow = z.output<typeof incident>;

const destination = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["webhook", "slack", "teams", "ntfy", "email"] satisfies DestinationKind[]),
  shown: z.string(),
  alarms: z.array(kind),
  isOn: z.boolean(),
  waiting: z.number(),
  last: z.nullable(
    z.object({ at: z.number(), tookMs: z.number(), failure: z.nullable(z.string()), tries: z.number() }),
  ),
});
export type DestinationRow = z.output<typeof destination>;

const condition = z.object({ kind, isOn: z.boolean(), quietMs: z.number() });
export type ConditionRow = z.output<typeof condition>;

const request = z.object({
  id: z.string(),
  kind: z.enum(["block", "unblock", "change"]),
  target: z.string(),
  ttlMs: z.nullable(z.number()),
  reason: z.string(),
  by: z.string(),
  role: z.string(),
  at: z.string(),
  decision: z.optional(
    z.object({ is: z.enum(["confirmed", "declined"]), by: z.string(), at: z.string(), word: z.string() }),
  ),
});
export type RequestRow = z.output<typeof request>;

const reply = z.object({
  asOf: z.number(),
  incidents: z.array(incident),
  destinations: z.array(destination),
  conditions: z.array(condition),
  requests: z.array(request),
  /** A mail server is set up. */
  hasMail: z.boolean(),
});
export type AlarmsReply = z.output<typeof reply>;

/** Incidents of 30 days, where they were sent, and requests to staff. */
export const alarms = () => query(["alarms"], "/api/alarms", reply);
