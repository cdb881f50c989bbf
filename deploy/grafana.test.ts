import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { savePolicy } from "@/e2e/fixtures/policy.ts";
import { theConsole } from "@/lib/console/console.ts";
import { getMetrics } from "@/lib/console/metrics/scrape.ts";
import { createGuard } from "@/lib/enforce/guard/guard.ts";
import { fieldOfApp, fields } from "@/lib/enforce/stats/fields.ts";
import { keys } from "@/lib/redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "@/lib/redis/testing.ts";

const source = z.object({ type: z.literal("prometheus"), uid: z.literal(`\${datasource}`) });
const target = z.object({ expr: z.string(), datasource: source });
const panel = z.object({
  id: z.number(),
  title: z.string().min(1),
  type: z.string(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z.array(target).default([]),
});
const dashboard = z
  .object({
    title: z.literal("Sluice"),
    templating: z.object({
      list: z.tuple([
        z.object({
          name: z.literal("datasource"),
          type: z.literal("datasource"),
          query: z.literal("prometheus"),
        }),
        z.object({ name: z.literal("app"), datasource: source, query: z.object({ query: z.string() }) }),
      ]),
    }),
    panels: z.array(panel),
  })
  .parse(JSON.parse(readFileSync(new URL("grafana-dashboard.json", import.meta.url), "utf8")));

const [, apps] = dashboard.templating.list;
const expressions = [
  apps.query.query,
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

let server: TestRedis;
/** Samples of /api/metrics: name → its labels. */
let samples: Map<string, Set<string>>;
/** Names of the metrics. A histogram has samples of three names. */
let metrics: string[];

beforeAll(async () => {
  server = await startRedis();
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
  vi.stubEnv("SLUICE_TOKEN", "a-token-for-Prometheus");
  const text = await scrapeAfterTraffic();
  metrics = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name);
  samples = readSamples(text);
});

afterAll(async () => {
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  await server.stop();
  vi.unstubAllEnvs();
});

/** Makes every kind of event that has a metric. */
async function scrapeAfterTraffic(): Promise<string> {
  const levels = [{ limit: 1, periodSeconds: 60 }];
  const rule = { client: "ip", algorithm: "first-hit" } as const;
  await savePolicy(server.client, {
    rules: [
      { ...rule, name: "watched", levels, mode: "shadow" },
      { ...rule, name: "req/ip", levels },
    ],
  });
  // A single node never exceeds a limit: what several have counted.
  await server.client.hset(keys.totals(), fieldOfApp("shop", fields.over("watched")), 3);
  const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
  try {
    await guard.ready();
    for (let i = 0; i < 3; i++) await guard.check({ ip: "192.0.2.1" });
    return await eventually(async () => {
      const text = await scrape();
      expect(text).toContain('sluice_rule_denials_total{app="shop",rule="req/ip"}');
      expect(text).toContain('sluice_node_counters_up{app="shop"');
      return text;
    });
  } finally {
    await guard.close();
  }
}

async function scrape(): Promise<string> {
  const headers = { authorization: "Bearer a-token-for-Prometheus" };
  return (await getMetrics(new Request("http://localhost/api/metrics", { headers }))).text();
}

function readSamples(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set();
    found.set(name, known);
    for (const [, label = ""] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
  }
  return found;
}

const namesIn = (expression: string) => expression.match(/\bsluice_\w+/g) ?? [];

/** What a query matches by, groups by or asks for. */
function labelsIn(expression: string): string[] {
  const matched = [...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = ""]) => label);
  const lists = [...expression.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(/,\s*/),
  );
  const [, asked] = /^label_values\(\w+, (\w+)\)$/.exec(expression) ?? [];
  return [...matched, ...lists, ...(asked === undefined ? [] : [asked])];
}

test.each(expressions)("every query of the dashboard finds its metrics: %s", (expression) => {
  const names = namesIn(expression);
  expect(names).not.toEqual([]);
  for (const name of names) {
    expect([...samples.keys()]).toContain(name);
    for (const label of labelsIn(expression)) expect([name, ...(samples.get(name) ?? [])]).toContain(label);
  }
});

test("every metric is on the dashboard", () => {
  const shown = new Set(expressions.flatMap(namesIn).map((name) => name.replace(/_(bucket|sum|count)$/, "")));
  expect(metrics.length).toBeGreaterThan(10);
  expect(metrics.filter((name) => !shown.has(name))).toEqual([]);
});

test("its panels have numbers of their own, and do not lie on each other", () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const taken = new Set<string>();
  for (const { title, gridPos } of dashboard.panels) {
    expect([title, gridPos.x + gridPos.w]).toEqual([title, Math.min(24, gridPos.x + gridPos.w)]);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect([...taken].includes(`${x} ${y}`) ? title : undefined).toBeUndefined();
        taken.add(`${x} ${y}`);
      }
  }
});
