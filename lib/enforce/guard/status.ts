import type { FollowingState } from "../../redis/following.ts";
import type { CountersHealth } from "./counters.ts";
import type { FleetNode } from "./fleet-node.ts";

/** How a guard is. */
export interface GuardStatus {
  /**
   * `starting`: lists and policy are not in memory yet, so each check asks Redis. `ready`: everything is enforced.
   * `degraded`: something is enforced as last known, or not at all.
   */
  readonly state: "starting" | "ready" | "degraded";
  /** When this state began. */
  readonly since: Date;
  /** Cause and consequence, in sentences without secrets. Undefined while ready. */
  readonly why: string | undefined;
  /** How changes reach this process. Undefined until the first load is done. */
  readonly following: FollowingState | undefined;
}

interface Degradation {
  readonly since: number;
  readonly why: string;
}

export function statusOf(node: FleetNode, counters: CountersHealth): GuardStatus {
  const { following, currentSince, startedAt } = node;
  const status = (state: GuardStatus["state"], since: number, why?: string): GuardStatus => ({
    state,
    since: new Date(since),
    why,
    following,
  });
  const troubles = troublesOf(node, counters);
  const [first] = troubles;
  if (first) return status("degraded", Math.min(...troubles.map(({ since }) => since)), first.why);
  if (currentSince === undefined) return status("starting", startedAt, node.sayStart());
  return status("ready", Math.max(currentSince, counters.answeredSince ?? 0));
}

/** The worst first. Counters are no trouble of their own before the copies are loaded. */
function troublesOf(node: FleetNode, counters: CountersHealth): Degradation[] {
  const { awaySince, currentSince = 0, loadedAt, state } = node;
  const troubles: Degradation[] = [];
  if (awaySince !== undefined) troubles.push({ since: awaySince, why: node.sayOutage() });
  if (loadedAt === undefined) return troubles;
  if (!state.policy) troubles.push({ since: currentSince, why: noPolicy });
  const { missedSince } = counters;
  if (missedSince !== undefined)
    troubles.push({ since: Math.max(missedSince, loadedAt), why: counters.sayOutage() });
  return troubles;
}

const noPolicy = "The policy in Redis cannot be used. No rule is enforced; the lists are.";
