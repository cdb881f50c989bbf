"use server";

import { z } from "zod";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { readBasis, writeBasis } from "../../manage/customers/basis.ts";
import { clearOverride as clear } from "../../manage/customers/clear-override.ts";
import { resetCounters as reset } from "../../manage/customers/reset.ts";
import { resumeCustomer } from "../../manage/customers/resume.ts";
import { setOverride as override } from "../../manage/customers/set-override.ts";
import { setTier as tier } from "../../manage/customers/set-tier.ts";
import { suspendCustomer } from "../../manage/customers/suspend.ts";
import { action } from "../action.ts";

const id = z.string().transform((given, context) => {
  const parsed = parseCustomerId(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: "custom", message: parsed.reason });
  return z.NEVER;
});
const reason = z.string().trim().min(1, { error: "enter a reason" }).max(2_000);
const basedOn = z.string().max(40).transform(readBasis).optional();

export const setTier = action({
  name: "customer.tier",
  needs: "customers",
  input: z.object({
    id,
    tier: z.string().max(40).nullable(),
    untilMs: z.number().int().optional(),
    reason,
    basedOn,
  }),
  async run(ctx, input) {
    const { change, outcome, basis } = await tier(ctx, input);
    return { change, outcome, basedOn: writeBasis(basis) };
  },
});

export const setOverride = action({
  name: "customer.override",
  needs: "customers",
  input: z.object({
    id,
    levels: z.array(z.object({ limit: z.number(), periodSeconds: z.number() })).max(64),
    /** Null for never, or left out where `expiresAt` says when. */
    expiresInMs: z.number().nullable().optional(),
    /** Ms. */
    expiresAt: z.number().int().optional(),
    reason,
    basedOn,
  }),
  async run(ctx, input) {
    const { change, expiresAt, basis } = await override(ctx, input);
    return { change, expiresAt, basedOn: writeBasis(basis) };
  },
});

export const clearOverride = action({
  name: "customer.override.clear",
  needs: "customers",
  input: z.object({ id, reason, basedOn }),
  async run(ctx, input) {
    const { change, basis } = await clear(ctx, input);
    return { change, basedOn: writeBasis(basis) };
  },
});

export const suspend = action({
  name: "customer.suspend",
  needs: "customers",
  input: z.object({ id, expiresInMs: z.number().nullable(), reason }),
  run: suspendCustomer,
});

export const resume = action({
  name: "customer.resume",
  needs: "customers",
  input: z.object({ id, reason }),
  run: resumeCustomer,
});

export const resetCounters = action({
  name: "customer.reset",
  needs: "customers",
  input: z.object({ id, reason }),
  run: (ctx, input) => reset(ctx, ctx.console.counters, input),
});
