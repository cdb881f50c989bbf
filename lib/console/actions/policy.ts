"use server";

import { z } from "zod";
import { modes } from "../../enforce/policy/schema.ts";
import { rollBackTo } from "../../manage/policy/roll-back.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setLimit } from "../../manage/policy/set-limit.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { action } from "../action.ts";

const version = z.number().int().min(0);
const reason = z.string().trim().min(1, "say why").max(500, "at most 500 characters");

/** Saves a whole policy, unless another version was published first. */
export const publishPolicy = action({
  name: "policy.set",
  needs: "policy",
  input: z.object({ policy: z.looseObject({}), basedOn: version, reason }),
  run: (ctx, input) => setPolicy(ctx, input),
});

/** Brings an earlier version back as the next one. */
export const rollBack = action({
  name: "policy.roll-back",
  needs: "policy",
  input: z.object({ version, basedOn: version, reason }),
  run: (ctx, input) => rollBackTo(ctx, input),
});

/** Switches all rules at once. In an emergency staff may ease off; to enforce again takes an admin. */
export const switchMode = action({
  name: "policy.mode",
  needs: { least: "ease-off", of: ({ mode }) => (mode === "enforce" ? "enforce" : "ease-off") },
  input: z.object({ mode: z.enum(modes), reason }),
  run: setMode,
});

/** Publishes levels and a mode for a limit of code; null gives either back to the code. */
export const changeLimit = action({
  name: "limit.set",
  needs: "policy",
  input: z.object({
    limit: z.string().max(200),
    levels: z.array(z.record(z.string(), z.unknown())).max(64).nullable(),
    mode: z.enum(modes).nullable(),
    reason,
  }),
  run: (ctx, input) => setLimit(ctx, input),
});
