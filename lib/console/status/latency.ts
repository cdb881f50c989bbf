import type { Patient } from "../../observe/doctor/finding.ts";
import type { Status } from "../../queries/status.ts";
import type { CountersConnection } from "../../redis/connect.ts";
import { inTime } from "../in-time.ts";

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
  const latencyMs = await inTime(pingMs(counters), countersPatienceMs).catch(() => undefined);
  return latencyMs === undefined ? { isUp: false, latencyMs: null } : { isUp: true, latencyMs };
}
