import { setTimeout as pause } from "node:timers/promises";
import { environment } from "../../../lib/env.ts";
import type { Connection } from "../../../lib/redis/connect.ts";
import { listNodes } from "../../../lib/stats/nodes.ts";
import { readTotals } from "../../../lib/stats/totals.ts";
import { theConsole } from "../../_server/console.ts";
import { failureOf, statusOf } from "../../_server/failure.ts";
import { requireToken } from "../check/caller.ts";
import { pingMs } from "../status/latency.ts";
import { type Looked, metricsOf } from "./metrics.ts";

export const dynamic = "force-dynamic";

/** For Prometheus, which shows the token. A Redis that is away is a fact to scrape, not a failure. */
export async function GET(request: Request): Promise<Response> {
  try {
    requireToken(request.headers, environment().token);
  } catch (error) {
    const failure = failureOf(error);
    return Response.json({ error: failure }, { status: statusOf[failure.code] });
  }
  const registry = metricsOf(await look());
  return new Response(await registry.metrics(), {
    headers: { "content-type": registry.contentType, "cache-control": "no-store" },
  });
}

/** A Redis that hangs keeps commands waiting for longer than a scrape may take. */
const patienceMs = 1_500;

async function look(): Promise<Looked> {
  const { redis, counters } = theConsole();
  const [known, countersMs] = await Promise.all([orNothing(ask(redis)), orNothing(pingMs(counters))]);
  const { latencyMs, ...counted } = known ?? { latencyMs: undefined, totals: [], nodes: [] };
  return { ...counted, latencySeconds: inSeconds(latencyMs), countersLatencySeconds: inSeconds(countersMs) };
}

async function ask(redis: Connection) {
  // Alone and first, so that nothing else on the connection is measured with it.
  const latencyMs = await pingMs(redis);
  const [totals, nodes] = await Promise.all([readTotals(redis), listNodes(redis)]);
  return { latencyMs, totals, nodes };
}

function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  const tooLate = pause(patienceMs, undefined, { ref: false });
  return Promise.race([answer, tooLate]).catch(() => undefined);
}

const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
