import type { Happening } from "../../manage/alarms/happening.ts";
import { parseObject } from "../../parse-object.ts";
import { isInSync, type LiveNode, type NewestChange } from "../stats/nodes.ts";

/** Since when a node has been so, in ms, by its id. */
export type SinceByNode = Readonly<Record<string, number>>;

/** A node that is behind for less than this catches up: it just started, or a change is on its way. */
const lagNoticedAfterMs = 10_000;
const countersNoticedAfterMs = 5_000;

interface FleetView {
  readonly nodes: readonly LiveNode[];
  readonly newest: NewestChange;
  /** Whether the counters answer the console. */
  readonly areCountersUp: boolean;
  /** What was found in the pass before. */
  readonly memory: FleetMemory;
}

/** What is remembered between two passes. */
export interface FleetMemory {
  readonly lagging: SinceByNode;
  readonly withoutCounters: SinceByNode;
}

/** @param text what the last look kept, if it did. Anything else is as if it were the first. */
export function readFleetMemory(text: string | undefined): FleetMemory {
  const { lagging, withoutCounters } = parseObject(text ?? "") ?? {};
  return { lagging: timesIn(lagging), withoutCounters: timesIn(withoutCounters) };
}

function timesIn(value: unknown): SinceByNode {
  const all = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(all.filter((one): one is [string, number] => typeof one[1] === "number"));
}

const console = "the console";
const mostNamed = 5;

/** Nodes that are behind, and nodes without counters. One incident each: what concerns the fleet concerns many at a time. */
export function fleetStates({ nodes, newest, areCountersUp, memory }: FleetView): {
  readonly states: readonly Happening[];
  readonly memory: FleetMemory;
} {
  const { now } = newest;
  const behind = nodes.filter((node) => !isInSync(node, newest)).map(({ id }) => id);
  const cut = nodes.filter(({ counters = "ok" }) => counters !== "ok").map(({ id }) => id);
  const lagging = sinceOf(memory.lagging, behind, now);
  const withoutCounters = sinceOf(memory.withoutCounters, areCountersUp ? cut : [...cut, console], now);
  const late = lastingOf(lagging, now - lagNoticedAfterMs);
  const alone = lastingOf(withoutCounters, now - countersNoticedAfterMs);
  const states: Happening[] = [];
  if (late.length > 0)
    states.push({
      ...{ kind: "node", cause: "node lag", path: "/", at: now },
      title: late.length === 1 ? `Node ${late[0]} is out of sync` : `${late.length} nodes are out of sync`,
      text: `Out of sync for 10 s or longer: ${namesOf(late)}. Changes are not enforced there yet`,
    });
  if (alone.length > 0)
    states.push({
      ...{ kind: "redis", cause: "redis counters", path: "/", at: now },
      title: "Counters do not answer",
      text: `Without counters: ${namesOf(alone)}. Limits are enforced there as each rule's onStoreError says`,
    });
  return { states, memory: { lagging, withoutCounters } };
}

function sinceOf(before: SinceByNode, ids: readonly string[], now: number): SinceByNode {
  return Object.fromEntries(ids.map((id) => [id, before[id] ?? now]));
}

function lastingOf(since: SinceByNode, latest: number): string[] {
  return Object.entries(since)
    .filter(([, at]) => at <= latest)
    .map(([id]) => id);
}

function namesOf(ids: readonly string[]): string {
  const more = ids.length - mostNamed;
  return more > 0 ? `${ids.slice(0, mostNamed).join(", ")} and ${more} more` : ids.join(", ");
}
