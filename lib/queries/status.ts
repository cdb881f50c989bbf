import { z } from "zod";
import type { Role } from "../auth/roles.ts";
import type { Mode } from "../policy/schema.ts";
import type { CountersState } from "../stats/nodes.ts";
import { type Query, query } from "./query.ts";

const mode = z.enum(["enforce", "shadow", "off"] satisfies Mode[]);
const role = z.enum(["viewer", "staff", "support", "admin"] satisfies Role[]);
const latencyMs = z.number();
const countersState = z.enum(["ok", "late", "away", "refused"] satisfies CountersState[]);

const node = z.object({
  id: z.string(),
  app: z.string(),
  host: z.string(),
  version: z.string(),
  /** Number of the last change it has applied. */
  lastChange: z.number(),
  /** Since when it cannot be sure to have missed nothing; null when nobody knows. */
  replicaAgeMs: z.number().nullable(),
  isInSync: z.boolean(),
  /** False: it met requests of which it could not say who sent them, and enforced nothing on those. */
  isStamped: z.boolean(),
  /** Lately, a second; null of a node whose version does not tell. */
  requestsPerSecond: z.number().nullable(),
  deniedPerSecond: z.number().nullable(),
  /** How it finds its counters; null as above. */
  counters: countersState.nullable(),
});
export type NodeStatus = z.output<typeof node>;

const rule = z.object({
  name: z.string(),
  mode,
  onStoreError: z.enum(["open", "closed", "model"]),
  /** In words. */
  limits: z.string(),
});

const reply = z.object({
  /** Ms: the moment for which this holds. */
  at: z.number(),
  you: z.object({ email: z.string(), role, address: z.string().nullable() }),
  redis: z.object({ isUp: z.literal(true), latencyMs }),
  /** Counters may have a server of their own. */
  counters: z.union([
    z.object({ isUp: z.literal(true), latencyMs }),
    z.object({ isUp: z.literal(false), latencyMs: z.null() }),
  ]),
  nodes: z.array(node),
  mode,
  /** Who last switched the mode; nothing on a fresh install. */
  modeSince: z
    .object({ at: z.string().nullable(), by: z.string().nullable(), reason: z.string() })
    .nullable(),
  /** Who switched limiting at the edge off; nothing while it is on, and where no edge is connected. */
  edgeOff: z.object({ at: z.string().nullable(), by: z.string().nullable(), reason: z.string() }).nullable(),
  policyVersion: z.number(),
  /** What stands in Redis cannot be obeyed, and why. */
  policyProblem: z.string().nullable(),
  rules: z.array(rule),
  /** Entries of both lists, by the console's own copy or the node that spoke last; null while nobody has one. */
  counts: z.object({ safelist: z.number(), blocklist: z.number() }).nullable(),
  /** The change that nodes are held against; number 0 when nothing was ever changed. */
  newestChange: z.object({ number: z.number(), at: z.number().nullable() }),
  /** What about this Redis puts the lists at risk, a sentence each. */
  warnings: z.array(z.string()),
});
export type Status = z.output<typeof reply>;

export const statusEveryMs = 2_000;
/** A console that hangs is as good as away. With the pause before it, it is told within five seconds. */
const patienceMs = 2_500;

/** Is enforcement working, how does it stand, and who am I? */
export function status(): Query<Status> {
  const { queryKey, queryFn } = query(["status"], "/api/status", reply);
  return {
    queryKey,
    queryFn({ signal }) {
      const late = AbortSignal.timeout(patienceMs);
      return queryFn({ signal: signal ? AbortSignal.any([signal, late]) : late });
    },
  };
}
