import type { ChangeReached } from "../../lib/queries/change.ts";
import { counted } from "../ui/count-text.ts";

/** When to ask again, in ms; false once there is nothing left to learn. */
export function nextLookMs(reached: ChangeReached | undefined, elapsedMs: number): number | false {
  if (reached && reached.lagging.length === 0) return false;
  if (elapsedMs < 2_000) return 100;
  return elapsedMs < 30_000 ? 1_000 : false;
}

/** "Applied on 3 of 3 nodes in 90 ms". A node that came since found the change in force. */
export function sayReached({ nodes, reached, lagging }: ChangeReached): string {
  if (nodes === 0) return "No node is running, so nothing enforces it yet";
  const on = `Applied on ${nodes - lagging.length} of ${counted(nodes, "node")}`;
  if (lagging.length > 0) return `${on} so far:`;
  const slowestMs = Math.max(0, ...reached.map(({ tookMs }) => tookMs));
  return reached.length > 0 ? `${on} in ${sayTook(slowestMs)}` : on;
}

function sayTook(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
