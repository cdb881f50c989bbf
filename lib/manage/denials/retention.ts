import { at } from "../../at.ts";
import { denialLogHourMs } from "../../enforce/stats/report.ts";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";

/** Nodes keep hours this long; a console makes it the retention that is set. */
export const defaultRetentionDays = 3;
export const mostRetentionDays = 31;
const dayMs = 86_400_000;

/** Days that the denial log is kept. */
export async function readRetentionDays(redis: Connection): Promise<number> {
  const text = await redis.get(keys.denialLogRetention()).catch(() => null);
  return readDays(text) ?? defaultRetentionDays;
}

function readDays(text: string | null): number | undefined {
  const days = Number(text ?? Number.NaN);
  return Number.isInteger(days) && days >= 1 && days <= mostRetentionDays ? days : undefined;
}

export const retentionSlot = { key: keys.denialLogRetention(), target: "denial log" } as const;

export interface RetentionChange {
  /** Days before. */
  readonly before: number;
  /** Number of the audit record. Null if nothing changed. */
  readonly record: number | null;
}

/** Sets how long the denial log is kept, also of hours that it has. */
export async function setRetention(
  ctx: Signed,
  { days, reason }: { readonly days: number; readonly reason: string },
): Promise<RetentionChange> {
  checkReason(reason);
  if (readDays(String(days)) === undefined) {
    const problem = `write a whole number of days from 1 to ${mostRetentionDays}`;
    throw new DomainError("bad-input", `The retention was not changed: ${problem}.`, { days: problem });
  }
  const { decision, record } = await commit(ctx, {
    ...{ action: "denials.retention", reason },
    slots: [retentionSlot],
    decide({ slots }) {
      const found = at(slots, 0);
      const before = readDays(found.kind === "string" ? found.value : null) ?? defaultRetentionDays;
      const writes = before === days ? [] : [{ slot: 0, to: { value: String(days), expiresAt: null } }];
      return { before, writes };
    },
  });
  if (!ctx.isDryRun) await applyRetention(ctx.redis);
  return { before: decision.before, record: record?.n ?? null };
}

/** Gives every hour of the log the end that the retention says. Consoles do so once an hour. */
export async function applyRetention(redis: Connection): Promise<void> {
  const [days, now] = await Promise.all([readRetentionDays(redis), redisNow(redis)]);
  const hour = Math.floor(now / denialLogHourMs);
  const pipeline = redis.pipeline();
  for (let one = hour; one > hour - mostRetentionDays * 24; one--)
    pipeline.pexpireat(keys.denialLog(one), (one + 1) * denialLogHourMs + days * dayMs);
  await pipeline.exec();
}
