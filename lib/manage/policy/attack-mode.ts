import { DomainError } from "../../errors.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { requireLater } from "../audit/checks.ts";
import type { Signed } from "../audit/record.ts";
import { type SavedPolicy, savePolicy } from "./save.ts";

export interface AttackModeInput {
  /** When it ends, by Redis' clock. */
  readonly untilMs: number;
  /** All apps unless given. */
  readonly apps?: readonly string[] | undefined;
  readonly reason: string;
}

export const attackLengths = { leastMs: 15 * 60_000, mostMs: 24 * 3_600_000 };
const mostApps = 64;

/** Adds the rules that are prepared for an attack. They end automatically. While attack mode is on, this changes its end and its apps. */
export async function startAttackMode(
  ctx: Signed,
  { untilMs, apps, reason }: AttackModeInput,
): Promise<SavedPolicy> {
  const nowMs = await redisNow(ctx.redis);
  requireLater(untilMs, nowMs, attackLengths);
  requireApps(apps);
  const { name: by } = ctx.actor;
  return savePolicy(ctx, {
    action: "policy.attack-on",
    reason,
    make: ({ policy }) => policy,
    time: ({ ends, attack }) => ({
      ends,
      attack: { sinceMs: attack?.sinceMs ?? nowMs, untilMs, ...(apps && { apps }), by, reason },
    }),
  });
}

/** Ends it before its time. */
export async function endAttackMode(
  ctx: Signed,
  { reason }: { readonly reason: string },
): Promise<SavedPolicy> {
  return savePolicy(ctx, {
    action: "policy.attack-off",
    reason,
    make: ({ policy }) => policy,
    time: ({ ends }) => ({ ends }),
  });
}

function requireApps(apps: readonly string[] | undefined): void {
  if (!apps) return;
  const isGood =
    apps.length > 0 && apps.length <= mostApps && apps.every((app) => /^[^\p{Cc}]{1,64}$/u.test(app));
  if (isGood) return;
  const problem = `name 1 to ${mostApps} apps, or none for all`;
  throw new DomainError("bad-input", `Attack mode was not changed: ${problem}.`, { apps: problem });
}
