import { Counter, Gauge, Registry } from "prom-client";
import { latencyEndsMs } from "../../enforce/stats/tally.ts";
import type { LiveNode } from "../../observe/stats/nodes.ts";
import type { AppTotals } from "../../observe/stats/totals.ts";

export interface Looked {
  /** Of the control server and of that of the counters; nothing while it is away. */
  readonly latencySeconds: number | undefined;
  readonly countersLatencySeconds: number | undefined;
  readonly totals: readonly AppTotals[];
  readonly nodes: readonly LiveNode[];
  /** The limits of the policy in force. */
  readonly limits: readonly RuleLimit[];
  /** Requests of this process' /api/check without a verdict, by reason. */
  readonly checkRefusals: ReadonlyMap<string, number>;
  /** The number of the newest audit record; undefined while the control server is away. */
  readonly auditRecords: number | undefined;
}

/** The limit of one level of a rule, for customers of a tier or for all. */
export interface RuleLimit {
  readonly rule: string;
  /** Empty for a rule with levels of its own. */
  readonly tier: string;
  readonly periodSeconds: number;
  readonly limit: number;
}

type Labels = Record<string, string>;
type Sample = readonly [value: number, labels?: Labels];

/**
 * The whole fleet's counts as Prometheus reads them. They are in Redis, so any console reports the same, except for what only
 * the asked process knows: which servers answer it, and what its check refused.
 */
export function metricsOf(looked: Looked): Registry {
  const registry = new Registry();
  const { totals, nodes } = looked;
  const [counter, gauge] = [tellTo(registry, Counter), tellTo(registry, Gauge)];
  tellCounts(counter, totals);
  gauge(
    "sluice_rule_limit",
    "The limit of a rule's level, by its period in seconds. Rates are a second. The tier is empty for levels of the rule's own.",
    looked.limits.map(({ rule, tier, periodSeconds, limit }) => [
      limit,
      { rule, tier, period: String(periodSeconds) },
    ]),
  );
  counter(
    "sluice_check_refused_total",
    "Requests that proxies asked /api/check of this process about and that got no verdict, by reason.",
    [...looked.checkRefusals].map(([reason, count]) => [count, { reason }]),
  );
  histogram(registry, totals);
  tellServers(gauge, looked);
  tellNodes(gauge, nodes);
  return registry;
}

type Tell = (name: string, help: string, samples: readonly Sample[]) => void;

function tellCounts(counter: Tell, totals: readonly AppTotals[]): void {
  counter("sluice_verdicts_total", "Requests by app and outcome.", byName(totals, "outcomes", "outcome"));
  counter(
    "sluice_rule_requests_total",
    "Requests that a rule counted, denied ones too.",
    byName(totals, "hits", "rule"),
  );
  counter(
    "sluice_rule_near_limit_total",
    "Requests with which a client was at 80% of a limit of the rule or above, denied ones too.",
    byName(totals, "nears", "rule"),
  );
  counter("sluice_rule_denials_total", "Requests that a rule denied.", byName(totals, "denials", "rule"));
  counter(
    "sluice_rule_shadow_denials_total",
    "Requests that a rule in shadow would have denied.",
    byName(totals, "shadows", "rule"),
  );
  counter(
    "sluice_rule_exemptions_total",
    "Requests that a rule matched and exempts from all limits, or would exempt if it were not in shadow.",
    byName(totals, "exemptions", "rule"),
  );
  counter(
    "sluice_over_limit_total",
    "What passed above the limit of a rule, by its slack.",
    byName(totals, "overs", "rule"),
  );
  counter(
    "sluice_unweighed_total",
    "Requests that passed or were denied without being weighed.",
    totals.map(({ app, unsure }) => [unsure, { app }]),
  );
}

function tellServers(gauge: Tell, looked: Looked): void {
  const { latencySeconds, countersLatencySeconds, auditRecords } = looked;
  const up = (latency: number | undefined): Sample[] => [[latency === undefined ? 0 : 1]];
  const took = (latency: number | undefined): Sample[] => (latency === undefined ? [] : [[latency]]);
  gauge("sluice_redis_up", "Whether the control server answers this console.", up(latencySeconds));
  gauge("sluice_redis_latency_seconds", "How long it took to answer.", took(latencySeconds));
  gauge(
    "sluice_counters_up",
    "Whether the server of the counters answers this console.",
    up(countersLatencySeconds),
  );
  gauge("sluice_counters_latency_seconds", "How long it took to answer.", took(countersLatencySeconds));
  gauge(
    "sluice_audit_records",
    "Number of the newest audit record. It never falls, unless the log was put back or lost.",
    auditRecords === undefined ? [] : [[auditRecords]],
  );
}

function tellNodes(gauge: Tell, nodes: readonly LiveNode[]): void {
  gauge("sluice_nodes", "Processes that enforce.", countedByApp(nodes));
  gauge(
    "sluice_node_replica_age_seconds",
    "Since when a node cannot be sure to have missed nothing.",
    eachNode(nodes, ({ replicaAgeMs }) => replicaAgeMs / 1_000),
  );
  gauge(
    "sluice_node_requests_per_second",
    "What a node decided, mean of ten seconds.",
    eachNode(nodes, ({ requestsPerSecond }) => requestsPerSecond),
  );
  gauge(
    "sluice_node_denials_per_second",
    "What a node denied, mean of ten seconds.",
    eachNode(nodes, ({ deniedPerSecond }) => deniedPerSecond),
  );
  gauge(
    "sluice_node_counters_up",
    "Whether the counters answer a node.",
    eachNode(nodes, ({ counters }) => counters && Number(counters === "ok")),
  );
  gauge("sluice_entries", "Entries that nodes hold.", entries(nodes));
}

/** A node whose version does not report it is left out. */
function eachNode(nodes: readonly LiveNode[], tell: (node: LiveNode) => number | undefined): Sample[] {
  return nodes.flatMap((node): Sample[] => {
    const value = tell(node);
    return value === undefined ? [] : [[value, { app: node.app, node: node.id }]];
  });
}

/** What is unknown is left out: prom-client would report a 0 without labels. */
function tellTo(registry: Registry, Metric: typeof Counter | typeof Gauge): Tell {
  return (name, help, samples) => {
    if (samples.length === 0) return;
    const metric = new Metric({ name, help, registers: [registry], labelNames: namesOf(samples) });
    for (const [value, labels = {}] of samples)
      metric instanceof Gauge ? metric.set(labels, value) : metric.inc(labels, value);
  };
}

const namesOf = (samples: readonly Sample[]): string[] => Object.keys(samples[0]?.[1] ?? {});

function byName(
  totals: readonly AppTotals[],
  what: "outcomes" | "denials" | "shadows" | "exemptions" | "overs" | "hits" | "nears",
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
