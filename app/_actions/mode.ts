"use server";

import { z } from "zod";
import { modes } from "../../lib/policy/schema.ts";
import { setMode } from "../../lib/policy/set-mode.ts";
import { action } from "../_server/action.ts";

/** Switches all rules at once. In an emergency staff may ease off; to enforce again takes an admin. */
export const switchMode = action({
  name: "policy.mode",
  needs: ({ mode }) => (mode === "enforce" ? "enforce" : "ease-off"),
  input: z.object({
    mode: z.enum(modes),
    reason: z.string().trim().min(1, "say why").max(500, "at most 500 characters"),
  }),
  run: setMode,
});
