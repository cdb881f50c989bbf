import { z } from "zod";
import { query } from "./query.ts";

const node = z.object({ id: z.string(), app: z.string() });

const reply = z.object({
  change: z.number(),
  nodes: z.number(),
  reached: z.array(node.extend({ tookMs: z.number() })),
  lagging: z.array(node),
});
export type ChangeReach = z.output<typeof reply>;

/** The nodes that have applied a change, as they reported it. */
export function changeReached(change: number) {
  return query(["changes", change], `/api/changes/${change}`, reply);
}
