import { z } from "zod";
import { query } from "./query.ts";

const reply = z.object({
  /** What Redis lost, as far as it is not back yet; null when nothing is lost. */
  loss: z
    .object({
      /** ISO: when the console noticed it. */
      at: z.string(),
      safelist: z.number(),
      blocklist: z.number(),
      /** Ranges that nobody may block; they come back with the lists. */
      neverBlock: z.number(),
    })
    .nullable(),
});
export type LossReply = z.output<typeof reply>;

/** Did Redis come back empty, and what could the console restore from its own copy? */
export function loss() {
  return query(["loss"], "/api/loss", reply);
}
