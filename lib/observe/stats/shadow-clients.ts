import { madeOnce } from "../../at.ts";
import { readShadowed } from "../../enforce/stats/fields.ts";
import { scopeSetSize } from "../../enforce/stats/report.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { repliesOf } from "../../redis/script.ts";
import { readScores } from "./client-counts.ts";

/** A client that a rule in shadow would have denied. */
export interface ShadowClient {
  readonly client: string;
  /** The signed-in customer of these requests. Undefined if they had none. */
  readonly customerId: string | undefined;
  /** Requests that would have been denied. */
  readonly requests: number;
}

export interface ShadowClients {
  /** Customers first, then by requests. */
  readonly found: readonly ShadowClient[];
  /** In some minute there were more clients than are kept. */
  readonly isCut: boolean;
}

/** The clients that a rule in shadow would have denied in the last minutes, of all apps. */
export async function readShadowClients(
  redis: Connection,
  { rule, minutes, nowMs }: { readonly rule: string; readonly minutes: number; readonly nowMs: number },
): Promise<ShadowClients> {
  const running = Math.floor(nowMs / 60_000);
  const pipeline = redis.pipeline();
  for (let minute = running - minutes + 1; minute <= running; minute++)
    pipeline.zrevrange(keys.shadowHitters(minute, rule), 0, -1, "WITHSCORES");
  const sums = new Map<string, { requests: number }>();
  const breathe = breathing();
  let isCut = false;
  for (const reply of await repliesOf(pipeline)) {
    await breathe();
    const scores = readScores(reply);
    isCut ||= scores.length >= scopeSetSize;
    for (const [text, requests] of scores) madeOnce(sums, text, () => ({ requests: 0 })).requests += requests;
  }
  const found = [...sums].map(([text, { requests }]) => ({ ...readShadowed(text), requests }));
  return { found: found.sort(customersFirst), isCut };
}

function customersFirst(a: ShadowClient, b: ShadowClient): number {
  const isCustomer = ({ customerId }: ShadowClient) => Number(customerId !== undefined);
  return isCustomer(b) - isCustomer(a) || b.requests - a.requests;
}
