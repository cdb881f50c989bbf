import { setTimeout as pause } from "node:timers/promises";
import type { Patient } from "../../observe/doctor/finding.ts";
import type { Status } from "../../queries/status.ts";
import type { CountersConnection } from "../../redis/connect.ts";

const countersPatienceMs = 500;

export async function pingMs(redis: { ping(): Promise<string> }): Promise<number> {
  const before = performance.now();
  await redis.ping();
  return Math.round((performance.now() - before) * 10) / 10;
}

/** A counters' Redis that is away is an answer, not a failure: lists and changes go on without it. */
export async function countersStatus(
  counters: CountersConnection,
  { url, countersUrl }: Pick<Patient, "url" | "countersUrl">,
  controlMs: number,
): Promise<Status["counters"]> {
  if (url === countersUrl) return { isUp: true, latencyMs: controlMs };
  const tooLate = pause(countersPatienceMs, null, { ref: false });
  const latencyMs = await Promise.race([pingMs(counters), tooLate]).catch(() => null);
  return latencyMs === null ? { isUp: false, latencyMs } : { isUp: true, latencyMs };
}
