"use server";

import { z } from "zod";
import { modes } from "../../enforce/policy/schema.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { action } from "../action.ts";

/** Switches all rules at once. In an emergency staff may ease off; to enforce again takes an admin. */
export const switchMode = action({
  name: "policy.mode",
  needs: { least: "ease-off", of: ({ mode }) => (mode === "enforce" ? "enforce" : "ease-off") },
  input: z.object({
    mode: z.enum(modes),
    reason: z.string().trim().min(1, "say why").max(500, "at most 500 characters"),
  }),
  run: setMode,
});
