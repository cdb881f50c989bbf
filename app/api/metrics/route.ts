import { environment } from "../../../lib/env.ts";
import { listNodes } from "../../../lib/stats/nodes.ts";
import { readTotals } from "../../../lib/stats/totals.ts";
import { theConsole } from "../../_server/console.ts";
import { failureOf, statusOf } from "../../_server/failure.ts";
import { requireToken } from "../check/caller.ts";
import { metricsOf } from "./metrics.ts";

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

async function look() {
  const { redis } = theConsole();
  try {
    const askedAt = performance.now();
    await redis.ping();
    const latencySeconds = (performance.now() - askedAt) / 1_000;
    return { latencySeconds, totals: await readTotals(redis), nodes: await listNodes(redis) };
  } catch {
    return { latencySeconds: undefined, totals: [], nodes: [] };
  }
}
