import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "../redis/connect.ts";
import { changeProgress, type Progress } from "../stats/nodes.ts";
import { counted } from "./words.ts";

/** How far a change has got on the nodes, for `--json`. */
export interface Applied {
  readonly nodes: number;
  readonly appliedOn: number;
  readonly slowestMs: number;
  readonly lagging: readonly string[];
}

const patienceMs = 1_000;
const lookEveryMs = 20;

/** Waits until every node has the change, though not for long; nothing when nothing changed or it cannot be seen. */
export async function awaitApplied(redis: Connection, change: number | null): Promise<Applied | null> {
  if (change === null) return null;
  const deadline = performance.now() + patienceMs;
  try {
    for (;;) {
      const progress = await changeProgress(redis, change);
      if (progress.lagging.length === 0 || performance.now() > deadline) return summed(progress);
      await pause(lookEveryMs);
    }
  } catch {
    // The change is made; that nobody can be asked about it does not unmake it.
    return null;
  }
}

function summed({ nodes, reached, lagging }: Progress): Applied {
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
  if (applied === null) return [`Change ${change} is made; which nodes have it cannot be seen.`];
  const { nodes, appliedOn, slowestMs, lagging } = applied;
  if (nodes === 0) return [`Change ${change}: no node is running, so nothing enforces it yet.`];
  const on = `Change ${change}: applied on ${appliedOn} of ${counted(nodes, "node")}`;
  if (lagging.length === 0) return [`${on} in ${slowestMs} ms.`];
  return [`${on}; still waiting for ${lagging.join(", ")}. sluice doctor says more.`];
}
