"use server";

import { z } from "zod";
import { setRetention as set } from "../../manage/denials/retention.ts";
import { action } from "../action.ts";

/** Sets how long the log of denied requests is kept. */
export const setRetention = action({
  name: "denials.retention",
  needs: "denial-log",
  input: z.object({
    days: z.number(),
    reason: z.string().trim().max(500, "at most 500 characters").default(""),
  }),
  run: set,
});
