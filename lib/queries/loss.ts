import { z } from "zod";
import { query } from "./query.ts";

const reply = z.object({
  /** Lost by Redis and not restored yet; null without a loss. */
  loss: z
    .object({
      /** ISO: when the console noticed it. */
      at: z.string(),
      safelist: z.number(),
      blocklist: z.number(),
      /** Protected ranges; they are restored with the lists. */
      neverBlock: z.number(),
    })
    .nullable(),
});
export type LossReply = z.output<typeof reply>;

/** The data that Redis lost, and that the console can restore from its own copy. */
export function loss() {
  return query(["loss"], "/api/loss", reply);
}
