"use server";

import { z } from "zod";
import { removeSharedOverride } from "../../manage/overrides/remove-shared.ts";
import { saveSharedOverride } from "../../manage/overrides/save-shared.ts";
import { mostMembers } from "../../manage/overrides/shared-override.ts";
import { action } from "../action.ts";

const reason = z.string().trim().min(1, "write a reason").max(500, "at most 500 characters");

/** Gives limits to a group of customers, or to all whose ids match a pattern. */
export const saveOverride = action({
  name: "override.set",
  needs: "customers",
  input: z.object({
    name: z.string().trim().min(1, "write a name or a pattern").max(80),
    levels: z
      .array(z.object({ limit: z.number(), periodSeconds: z.number() }))
      .max(64)
      .optional(),
    tier: z.string().max(40).optional(),
    /** Null for never. Left out: the end stays. */
    expiresInMs: z.number().nullable().optional(),
    /** All customers of the group. */
    members: z
      .array(z.string().max(80))
      .max(2 * mostMembers)
      .optional(),
    evenWithOldNodes: z.boolean().default(false),
    reason,
  }),
  async run(ctx, { members, evenWithOldNodes, ...given }) {
    const { change, outcome } = await saveSharedOverride(ctx, {
      ...given,
      members: members && { set: members },
      isOldIgnored: evenWithOldNodes,
    });
    return { change, outcome };
  },
});

export const removeOverride = action({
  name: "override.remove",
  needs: "customers",
  input: z.object({ name: z.string().max(80), reason: z.string().trim().max(500).default("") }),
  run: removeSharedOverride,
});
