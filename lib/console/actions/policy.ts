"use server";

import { z } from "zod";
import { modes } from "../../enforce/policy/schema.ts";
import type { Signed } from "../../manage/audit/record.ts";
import { endAttackMode, startAttackMode } from "../../manage/policy/attack-mode.ts";
import { rollBackTo } from "../../manage/policy/roll-back.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setLimit } from "../../manage/policy/set-limit.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { action } from "../action.ts";

const minutes = z
  .number()
  .int()
  .min(1)
  .max(366 * 24 * 60);
const version = z.number().int().min(0);
const reason = z.string().trim().min(1, "say why").max(500, "at most 500 characters");

/** Saves a whole policy, unless another version was published first. */
export const publishPolicy = action({
  name: "policy.set",
  needs: "policy",
  input: z.object({
    policy: z.looseObject({}),
    basedOn: version,
    reason,
    untilMs: z.number().int().optional(),
  }),
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
  input: z.object({ mode: z.enum(modes), minutes: minutes.optional(), reason }),
  async run(ctx, { mode, minutes, reason }) {
    const untilMs = minutes === undefined ? undefined : await inMinutes(ctx, minutes);
    return setMode(ctx, { mode, untilMs, reason });
  },
});

/** Adds the rules that are prepared for an attack, for a time. */
export const startAttack = action({
  name: "policy.attack-on",
  needs: "ease-off",
  input: z.object({ minutes, apps: z.array(z.string()).optional(), reason }),
  run: async (ctx, { minutes, apps, reason }) =>
    startAttackMode(ctx, { untilMs: await inMinutes(ctx, minutes), apps, reason }),
});

export const endAttack = action({
  name: "policy.attack-off",
  needs: "ease-off",
  input: z.object({ reason }),
  run: endAttackMode,
});

/** A browser's clock may be wrong. */
async function inMinutes({ redis }: Pick<Signed, "redis">, minutes: number): Promise<number> {
  return (await redisNow(redis)) + minutes * 60_000;
}

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
