"use server";

import { z } from "zod";
import { decideRequest as decide, makeRequest as make } from "../../manage/requests/decide.ts";
import { requestKinds } from "../../manage/requests/user-request.ts";
import { action } from "../action.ts";

/** Asks staff to block, unblock or change something. */
export const makeRequest = action({
  name: "request.make",
  needs: "ask",
  input: z.object({
    kind: z.enum(requestKinds),
    target: z.string().max(400),
    ttlMs: z.number().nullable(),
    reason: z.string().max(500, "at most 500 characters"),
  }),
  run: async (ctx, input) => ({ id: (await make(ctx, { ...input, role: ctx.who.role })).id }),
});

/** Confirms a request, which does what was asked, or declines it. */
export const decideRequest = action({
  name: "request.decide",
  needs: "decide",
  input: z.object({ id: z.string().max(60), isConfirmed: z.boolean(), word: z.string().trim().max(200) }),
  run: async (ctx, input) => ({ change: (await decide(ctx, input)).change }),
});
