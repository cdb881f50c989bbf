import { Counter, Gauge, Registry } from "prom-client";
import type { LiveNode } from "../../../lib/stats/nodes.ts";
import { latencyEndsMs } from "../../../lib/stats/tally.ts";
import type { AppTotals } from "../../../lib/stats/totals.ts";

export interface Looked {
  /** Nothing while Redis is away. */
  readonly latencySeconds: number | undefined;
  readonly totals: readonly AppTotals[];
  readonly nodes: readonly LiveNode[];
}

type Labels = Record<string, string>;
type Sample = readonly [value: number, labels?: Labels];

/** The whole fleet's counts as Prometheus reads them. They stand in Redis, so any console tells the same. */
export function metricsOf({ latencySeconds, totals, nodes }: Looked): Registry {
  const registry = new Registry();
  const counter = counters(registry);
  const gauge = gauges(registry);
  counter("sluice_verdicts_total", "Requests by app and outcome.", byName(totals, "outcomes", "outcome"));
  counter("sluice_rule_denials_total", "Requests that a rule denied.", byName(totals, "denials", "rule"));
  counter(
    "sluice_rule_shadow_denials_total",
    "Requests that a rule in shadow would have denied.",
    byName(totals, "shadows", "rule"),
  );
  counter(
    "sluice_unweighed_total",
    "Requests that passed, or were turned away, without being weighed.",
    totals.map(({ app, unsure }) => [unsure, { app }]),
  );
  histogram(registry, totals);
  gauge("sluice_redis_up", "Whether the control server answers.", [[latencySeconds === undefined ? 0 : 1]]);
  if (latencySeconds !== undefined)
    gauge("sluice_redis_latency_seconds", "How long it took to answer.", [[latencySeconds]]);
  gauge("sluice_nodes", "Processes that enforce.", [...countedByApp(nodes)]);
  gauge(
    "sluice_node_replica_age_seconds",
    "Since when a node cannot be sure to have missed nothing.",
    nodes.map(({ id, app, replicaAgeMs }) => [replicaAgeMs / 1_000, { app, node: id }]),
  );
  gauge("sluice_entries", "Entries that nodes hold.", entries(nodes));
  return registry;
}

function counters(registry: Registry) {
  return (name: string, help: string, samples: readonly Sample[]): void => {
    const counter = new Counter({ name, help, registers: [registry], labelNames: namesOf(samples) });
    for (const [value, labels = {}] of samples) counter.inc(labels, value);
  };
}

function gauges(registry: Registry) {
  return (name: string, help: string, samples: readonly Sample[]): void => {
    const gauge = new Gauge({ name, help, registers: [registry], labelNames: namesOf(samples) });
    for (const [value, labels = {}] of samples) gauge.set(labels, value);
  };
}

const namesOf = (samples: readonly Sample[]): string[] => Object.keys(samples[0]?.[1] ?? {});

function byName(
  totals: readonly AppTotals[],
  what: "outcomes" | "denials" | "shadows",
  label: string,
): Sample[] {
  return totals.flatMap((one) =>
    [...one[what]].map(([name, count]): Sample => [count, { app: one.app, [label]: name }]),
  );
}

function countedByApp(nodes: readonly LiveNode[]): Sample[] {
  const counts = new Map<string, number>();
  for (const { app } of nodes) counts.set(app, (counts.get(app) ?? 0) + 1);
  return [...counts].map(([app, count]) => [count, { app }]);
}

function entries(nodes: readonly LiveNode[]): Sample[] {
  if (nodes.length === 0) return [];
  return [
    [Math.max(...nodes.map(({ safelisted }) => safelisted)), { list: "safelist" }],
    [Math.max(...nodes.map(({ blocklisted }) => blocklisted)), { list: "blocklist" }],
  ];
}

/** prom-client's own histogram counts what it is shown; these were counted elsewhere. */
function histogram(registry: Registry, totals: readonly AppTotals[]): void {
  const name = "sluice_decision_seconds";
  const help = "How long a decision took.";
  const values = totals.flatMap(({ app, latencies, tookSeconds }) => {
    let sum = 0;
    const buckets = latencies.map((count, i) => {
      sum += count;
      const end = latencyEndsMs[i];
      return {
        metricName: `${name}_bucket`,
        value: sum,
        labels: { le: end === undefined ? "+Inf" : String(end / 1_000), app },
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, value: tookSeconds, labels: { app } },
      { metricName: `${name}_count`, value: sum, labels: { app } },
    ];
  });
  // The one cast: of a metric, the registry asks no more than this.
  const metric = { name, get: async () => ({ name, help, type: "histogram", aggregator: "sum", values }) };
  registry.registerMetric(metric as unknown as Parameters<typeof registry.registerMetric>[0]);
}
