import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import {
  type LimitOverride,
  limitField,
  parseOverride,
  type ReportedLimit,
  readLimitField,
  readReportedLimits,
  requireOverride,
} from "../../enforce/policy/code-limits.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { checkReason, requireType } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";

export interface LimitInput {
  /** `<app>/<name>`. */
  readonly limit: string;
  /** Null for those of the code again; undefined keeps what is published. */
  readonly levels?: unknown;
  /** The same. */
  readonly mode?: unknown;
  readonly reason: string;
}

/** Publishes levels or a mode for a limit that code names, or takes them back. What is published wins over the code. */
export async function setLimit(
  ctx: Signed,
  { limit: field, reason, ...input }: LimitInput,
): Promise<{ readonly change: number | null }> {
  checkReason(reason);
  const limits = await readReportedLimits(ctx.redis, await redisNow(ctx.redis));
  const limit = limits.find((one) => limitField(one) === field);
  const isBack = [input.levels, input.mode].every((part) => part === null || part === undefined);
  if (!limit && !(isBack && readLimitField(field))) throw noLimit(limits, field);
  const given = limit ? requireOverride(limit, withoutNull(input)) : {};
  const { change } = await commit(ctx, {
    action: "limit.set",
    reason,
    slots: [slotOfLimit(field)],
    decide({ now, slots }) {
      const found = at(slots, 0);
      if (found.kind !== "none")
        requireType(keys.limitOverrides(), found, "string", "what is published for a limit");
      const before = parseOverride(found.value) ?? {};
      const { levels = before.levels, mode = before.mode } = given;
      const after: LimitOverride = {
        ...(levels && input.levels !== null && { levels }),
        ...(mode && input.mode !== null && { mode }),
      };
      if (isDeepStrictEqual(before, after)) return { writes: [] };
      if (Object.keys(after).length === 0) return { writes: [{ slot: 0, to: null }] };
      const { name, via } = ctx.actor;
      const value = JSON.stringify({ ...after, by: name, via, at: new Date(now).toISOString(), reason });
      return { writes: [{ slot: 0, to: { value, expiresAt: null } }] };
    },
  });
  return { change };
}

export const slotOfLimit = (field: string) => ({ key: keys.limitOverrides(), field, target: field });

function withoutNull({ levels, mode }: Pick<LimitInput, "levels" | "mode">) {
  return { ...(levels !== null && { levels }), ...(mode !== null && { mode }) };
}

function noLimit(limits: readonly ReportedLimit[], field: string): DomainError {
  const known = limits.map(limitField).slice(0, 10).join(", ");
  const has = known === "" ? "nodes report none" : `nodes report ${known}`;
  return new DomainError("not-found", `No app has a limit "${field.slice(0, 120)}": ${has}.`);
}
