import { counted, tookText } from "@/components/ui/value-text.ts";
import type { ChangeReach } from "@/lib/queries/change.ts";

/** Time until the next poll, in ms. False once polling ends. */
export function nextLookMs(reached: ChangeReach | undefined, elapsedMs: number): number | false {
  if (reached && reached.lagging.length === 0) return false;
  if (elapsedMs < 2_000) return 100;
  return elapsedMs < 30_000 ? 1_000 : false;
}

/** "Applied on 3 of 3 nodes in 90 ms". A node that started after the change counts as applied. */
export function sayReached({ nodes, reached, lagging }: ChangeReach): string {
  if (nodes === 0) return "No node is running, so it is not enforced yet";
  const on = `Applied on ${nodes - lagging.length} of ${counted(nodes, "node")}`;
  if (lagging.length > 0) return `${on} so far:`;
  const slowestMs = Math.max(0, ...reached.map(({ tookMs }) => tookMs));
  return reached.length > 0 ? `${on} in ${tookText(slowestMs)}` : on;
}
