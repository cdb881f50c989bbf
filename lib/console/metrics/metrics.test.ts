import { expect, it } from "vitest";
import type { LiveNode } from "../../observe/stats/nodes.ts";
import { metricsOf } from "./metrics.ts";

const older: LiveNode = {
  ...{ id: "older", app: "shop", version: "0.0.9", host: "web-1", startedAt: 1, change: 4, seenAt: 2 },
  ...{ replicaAgeMs: 100, safelisted: 3, blocklisted: 40, unknownClients: 0 },
};

const node = (id: string, said: Partial<LiveNode> = {}): LiveNode => ({
  ...{ ...older, id, replicaAgeMs: 250 },
  ...{ requestsPerSecond: 12.5, deniedPerSecond: 0.5, counters: "ok" },
  ...said,
});

it("tells what the fleet counted, in Prometheus' own words", async () => {
  const latencies = [1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1];
  const text = await metricsOf({
    latencySeconds: 0.0004,
    countersLatencySeconds: undefined,
    checkRefusals: new Map([
      ["token", 3],
      ["app", 0],
    ]),
    auditRecords: 7,
    totals: [
      {
        app: "shop",
        outcomes: new Map([["pass", 5]]),
        denials: new Map([['req/"ip"', 1]]),
        shadows: new Map(),
        exemptions: new Map([["health", 6]]),
        overs: new Map([["req/ip", 4]]),
        hits: new Map([["req/ip", 50]]),
        nears: new Map([["req/ip", 9]]),
        unsure: 2,
        latencies,
        tookSeconds: 0.25,
      },
    ],
    limits: [
      { rule: "req/ip", tier: "", periodSeconds: 60, limit: 100 },
      { rule: "req/customer", tier: "pro", periodSeconds: 3_600, limit: 5_000 },
    ],
    nodes: [node("a"), node("b", { replicaAgeMs: Number.POSITIVE_INFINITY, counters: "late" }), older],
  }).metrics();
  for (const line of [
    "# TYPE sluice_audit_records gauge",
    "sluice_audit_records 7",
    "# TYPE sluice_verdicts_total counter",
    'sluice_verdicts_total{app="shop",outcome="pass"} 5',
    'sluice_rule_denials_total{app="shop",rule="req/\\"ip\\""} 1',
    'sluice_rule_requests_total{app="shop",rule="req/ip"} 50',
    'sluice_rule_near_limit_total{app="shop",rule="req/ip"} 9',
    'sluice_rule_limit{rule="req/ip",tier="",period="60"} 100',
    'sluice_rule_limit{rule="req/customer",tier="pro",period="3600"} 5000',
    'sluice_rule_exemptions_total{app="shop",rule="health"} 6',
    'sluice_over_limit_total{app="shop",rule="req/ip"} 4',
    'sluice_unweighed_total{app="shop"} 2',
    'sluice_check_refused_total{reason="token"} 3',
    'sluice_check_refused_total{reason="app"} 0',
    "# TYPE sluice_decision_seconds histogram",
    'sluice_decision_seconds_bucket{le="0.00005",app="shop"} 1',
    'sluice_decision_seconds_bucket{le="0.00025",app="shop"} 5',
    'sluice_decision_seconds_bucket{le="+Inf",app="shop"} 6',
    'sluice_decision_seconds_sum{app="shop"} 0.25',
    'sluice_decision_seconds_count{app="shop"} 6',
    "sluice_redis_up 1",
    "sluice_redis_latency_seconds 0.0004",
    "sluice_counters_up 0",
    'sluice_nodes{app="shop"} 3',
    'sluice_entries{list="blocklist"} 40',
    'sluice_node_replica_age_seconds{app="shop",node="a"} 0.25',
    'sluice_node_replica_age_seconds{app="shop",node="b"} +Inf',
    'sluice_node_requests_per_second{app="shop",node="a"} 12.5',
    'sluice_node_denials_per_second{app="shop",node="a"} 0.5',
    'sluice_node_counters_up{app="shop",node="a"} 1',
    'sluice_node_counters_up{app="shop",node="b"} 0',
  ])
    expect(text.split("\n")).toContain(line);
  expect(text).not.toMatch(/(requests_per_second|counters_up)\{[^}]*node="older"/);
});

it("tells nothing but that Redis is away, rather than zeros", async () => {
  const away = {
    ...{ latencySeconds: undefined, countersLatencySeconds: undefined, auditRecords: undefined },
    ...{ totals: [], nodes: [], limits: [] },
    checkRefusals: new Map(),
  };
  const samples = (await metricsOf(away).metrics()).split("\n").filter((line) => /^sluice/.test(line));
  expect(samples).toEqual(["sluice_redis_up 0", "sluice_counters_up 0"]);
});
