import { expect, it } from "vitest";
import { metricsOf } from "./metrics.ts";

it("tells what the fleet counted, in Prometheus' own words", async () => {
  const latencies = [1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1];
  const text = await metricsOf({
    latencySeconds: 0.0004,
    totals: [
      {
        app: "shop",
        outcomes: new Map([["pass", 5]]),
        denials: new Map([['req/"ip"', 1]]),
        shadows: new Map(),
        unsure: 2,
        latencies,
        tookSeconds: 0.25,
      },
    ],
    nodes: [],
  }).metrics();
  for (const line of [
    "# TYPE sluice_verdicts_total counter",
    'sluice_verdicts_total{app="shop",outcome="pass"} 5',
    'sluice_rule_denials_total{app="shop",rule="req/\\"ip\\""} 1',
    'sluice_unweighed_total{app="shop"} 2',
    "# TYPE sluice_decision_seconds histogram",
    'sluice_decision_seconds_bucket{le="0.00005",app="shop"} 1',
    'sluice_decision_seconds_bucket{le="0.00025",app="shop"} 5',
    'sluice_decision_seconds_bucket{le="+Inf",app="shop"} 6',
    'sluice_decision_seconds_sum{app="shop"} 0.25',
    'sluice_decision_seconds_count{app="shop"} 6',
    "sluice_redis_up 1",
    "sluice_redis_latency_seconds 0.0004",
  ])
    expect(text.split("\n")).toContain(line);
});

it("says that Redis is away", async () => {
  const text = await metricsOf({ latencySeconds: undefined, totals: [], nodes: [] }).metrics();
  expect(text).toContain("sluice_redis_up 0\n");
  expect(text).not.toContain("sluice_redis_latency_seconds ");
});
