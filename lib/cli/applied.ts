import { setTimeout as pause } from "node:timers/promises";
import { plural } from "../observe/doctor/finding.ts";
import { type ChangeProgress, changeProgress } from "../observe/stats/nodes.ts";
import type { Connection } from "../redis/connect.ts";

/** Progress of a change on the nodes, for `--json`. */
export interface Applied {
  readonly nodes: number;
  readonly appliedOn: number;
  readonly slowestMs: number;
  readonly lagging: readonly string[];
}

export const longestWaitMs = 1_000;
const pollEveryMs = 20;

/** Waits a short time until every node has applied the change. Null without a change, and if the progress cannot be read. */
export async function awaitApplied(
  redis: Connection,
  change: number | null,
  withinMs: number,
): Promise<Applied | null> {
  if (change === null) return null;
  const deadline = performance.now() + withinMs;
  try {
    for (;;) {
      const progress = await changeProgress(redis, change);
      if (progress.lagging.length === 0 || performance.now() > deadline) return summed(progress);
      await pause(pollEveryMs);
    }
  } catch {
    // The change is written. A failure to read its progress is no failure of the change.
    return null;
  }
}

function summed({ nodes, reached, lagging }: ChangeProgress): Applied {
  return {
    nodes,
    appliedOn: nodes - lagging.length,
    slowestMs: Math.max(0, ...reached.map(({ tookMs }) => tookMs)),
    lagging: lagging.map(({ id }) => id),
  };
}

/** "Change 41: applied on 2 of 2 nodes in 35 ms." */
export function sayApplied(change: number | null, applied: Applied | null): string[] {
  if (change === null) return [];
  if (applied === null) return [`Change ${change} is written. Which nodes have applied it is unknown.`];
  const { nodes, appliedOn, slowestMs, lagging } = applied;
  if (nodes === 0) return [`Change ${change}: no node is running, so it is not enforced yet.`];
  const on = `Change ${change}: applied on ${appliedOn} of ${plural(nodes, "node")}`;
  if (lagging.length === 0) return [`${on} in ${slowestMs} ms.`];
  return [`${on}. Still waiting for ${lagging.join(", ")}. For details run sluice doctor.`];
}
