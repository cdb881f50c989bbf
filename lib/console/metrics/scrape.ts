import type { Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { ruleNames } from "../../enforce/stats/fields.ts";
import { environment, requireRedisUrl } from "../../env.ts";
import { readAuditRecords } from "../../manage/audit/end-watch.ts";
import { listNodes } from "../../observe/stats/nodes.ts";
import { readTotals } from "../../observe/stats/totals.ts";
import type { Connection } from "../../redis/connect.ts";
import { controlConnection, countersConnection } from "../../redis/connections.ts";
import { requireToken } from "../check/caller.ts";
import { refusalCounts } from "../check/refusals.ts";
import { failureOf, statusOf } from "../failure.ts";
import { inTime } from "../in-time.ts";
import { pingMs } from "../status/latency.ts";
import { type Looked, metricsOf, type RuleLimit } from "./metrics.ts";

/** For Prometheus, which shows the token. A Redis that is away is a fact to scrape, not a failure. */
export async function getMetrics(request: Request): Promise<Response> {
  try {
    requireToken(request.headers, {
      token: environment().metricsToken,
      variable: "SLUICE_METRICS_TOKEN",
    });
  } catch (error) {
    const failure = failureOf(error, "read");
    return Response.json({ error: failure }, { status: statusOf[failure.code] });
  }
  const registry = metricsOf(await look());
  return new Response(await registry.metrics(), {
    headers: { "content-type": registry.contentType, "cache-control": "no-store" },
  });
}

/** A Redis that hangs keeps commands waiting for longer than a scrape may take. */
const patienceMs = 1_500;

const nothing = { totals: [], nodes: [], limits: [], auditRecords: undefined };

async function look(): Promise<Looked> {
  // Not those of theConsole(), which needs NEXTAUTH_SECRET: a process that is check only has none.
  const env = environment();
  const redisUrl = requireRedisUrl(env);
  const [redis, counters] = [
    controlConnection(redisUrl),
    countersConnection(env.countersRedisUrl ?? redisUrl),
  ];
  const [known, countersMs] = await Promise.all([orNothing(ask(redis)), orNothing(pingMs(counters))]);
  const { latencyMs, ...counted } = known ?? { ...nothing, latencyMs: undefined };
  return {
    ...counted,
    latencySeconds: inSeconds(latencyMs),
    countersLatencySeconds: inSeconds(countersMs),
    checkRefusals: refusalCounts(),
  };
}

async function ask(redis: Connection) {
  // Alone and first, so that nothing else on the connection is measured with it.
  const latencyMs = await pingMs(redis);
  const { policy } = await readPolicy(redis);
  const [totals, nodes, auditRecords] = await Promise.all([
    readTotals(redis, ruleNames(policy)),
    listNodes(redis),
    readAuditRecords(redis),
  ]);
  return { latencyMs, totals, nodes, limits: limitsOf(policy), auditRecords };
}

/** The limits of a policy's rules. A rule for tiers has those of each tier. */
function limitsOf({ rules, tiers }: Policy): RuleLimit[] {
  const tiersByName = Object.entries(tiers);
  return rules.flatMap(({ name: rule, levels }): RuleLimit[] => {
    if (levels === "tier")
      return tiersByName.flatMap(([tier, { levels }]) =>
        levels.map(({ limit, periodSeconds }) => ({ rule, tier, limit, periodSeconds })),
      );
    return levels.map((level) =>
      "limitPerSecond" in level
        ? { rule, tier: "", limit: level.limitPerSecond, periodSeconds: level.halfLifeSeconds }
        : { rule, tier: "", limit: level.limit, periodSeconds: level.periodSeconds },
    );
  });
}

function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  return inTime(answer, patienceMs).catch(() => undefined);
}

const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
