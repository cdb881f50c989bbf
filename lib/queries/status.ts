import * as z from "zod/mini";
import type { CountersState } from "../enforce/stats/membership.ts";
import type { FollowingWay } from "../redis/following.ts";
import { type Query, query } from "./query.ts";
import { mode, role } from "./shapes.ts";

const latencyMs = z.number();
const countersState = z.enum(["ok", "late", "away", "refused"] satisfies CountersState[]);

const node = z.object({
  id: z.string(),
  app: z.string(),
  host: z.string(),
  version: z.string(),
  /** Number of the last change it has applied. */
  lastChange: z.number(),
  /** Time since it was last certain to have missed no change; null when unknown. */
  replicaAgeMs: z.nullable(z.number()),
  isInSync: z.boolean(),
  /** False: it got requests without a known client, on which nothing is enforced. */
  isStamped: z.boolean(),
  /** A second, recently; null for a node whose version does not report it. */
  requestsPerSecond: z.nullable(z.number()),
  deniedPerSecond: z.nullable(z.number()),
  /** State of its counters; null as above. */
  counters: z.nullable(countersState),
  /** How it learns of changes, and within how many ms of writes by other programs; null as above. */
  following: z.nullable(z.enum(["tracking", "notifications", "polling"] satisfies FollowingWay[])),
  othersWithinMs: z.nullable(z.number()),
});
export type NodeStatus = z.output<typeof node>;

const rule = z.object({
  name: z.string(),
  mode,
  onStoreError: z.enum(["open", "closed", "model"]),
  /** In words. */
  limits: z.string(),
});

const lastSwitch = z.object({ at: z.nullable(z.string()), by: z.nullable(z.string()), reason: z.string() });

const reply = z.object({
  /** Ms: the time of this state. */
  at: z.number(),
  you: z.object({ email: z.string(), role, address: z.nullable(z.string()) }),
  redis: z.object({ isUp: z.literal(true), latencyMs }),
  /** Counters may have a server of their own. */
  counters: z.union([
    z.object({ isUp: z.literal(true), latencyMs }),
    z.object({ isUp: z.literal(false), latencyMs: z.null() }),
  ]),
  nodes: z.array(node),
  mode,
  /** The last switch of the mode; null on a new installation. */
  modeSince: z.nullable(lastSwitch),
  /** When the mode goes back to what it was. */
  modeUntilMs: z.nullable(z.number()),
  /** Null while attack mode is off. */
  attack: z.nullable(
    z.object({
      ...{ sinceMs: z.number(), untilMs: z.number(), by: z.string(), reason: z.string() },
      /** Null for all. */
      apps: z.nullable(z.array(z.string())),
    }),
  ),
  /** The switch that turned limiting at the edge off; null while it is on, and without an edge. */
  edgeOff: z.nullable(lastSwitch),
  policyVersion: z.number(),
  /** Why the policy in Redis is not enforced. */
  policyProblem: z.nullable(z.string()),
  rules: z.array(rule),
  /** Entries of both lists, by the console's own copy or the latest heartbeat; null while unknown. */
  counts: z.nullable(z.object({ safelist: z.number(), blocklist: z.number() })),
  /** The change that nodes are compared with; number 0 before the first change. */
  newestChange: z.object({ number: z.number(), at: z.nullable(z.number()) }),
  /** Settings of this Redis that put the lists at risk, a sentence each. */
  warnings: z.array(z.string()),
  /** Incidents and requests that wait for a person. Null while unknown. */
  waiting: z.optional(z.nullable(z.number())),
  /** Whether the data are a demonstration's. */
  isDemo: z.optional(z.boolean()),
});
export type Status = z.output<typeof reply>;

export const statusEveryMs = 2_000;
/** A console that does not answer within this time is away. With the pause before it, this shows within five seconds. */
const patienceMs = 2_500;

/** The state of enforcement, and the signed-in user. */
export function status(): Query<Status> {
  const { queryFn, ...read } = query(["status"], "/api/status", reply);
  return {
    ...read,
    queryFn({ signal }) {
      const late = AbortSignal.timeout(patienceMs);
      return queryFn({ signal: signal ? AbortSignal.any([signal, late]) : late });
    },
  };
}

const changeNode = z.object({ id: z.string(), app: z.string() });

const reachReply = z.object({
  change: z.number(),
  nodes: z.number(),
  reached: z.array(z.extend(changeNode, { tookMs: z.number() })),
  lagging: z.array(changeNode),
});
export type ChangeReach = z.output<typeof reachReply>;

/** The nodes that have applied a change, as they reported it. */
export function changeReached(change: number) {
  return query(["changes", change], `/api/changes/${change}`, reachReply);
}
