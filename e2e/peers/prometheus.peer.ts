import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const rules = fileURLToPath(new URL("../../deploy/prometheus-alerts.yaml", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "sluice-prometheus-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const promtool = (...words: string[]) => execFileSync("promtool", words, { encoding: "utf8" });

/**
 * Tests that so many alerts of a name fire after some minutes, with series of a value a minute: `0+60x30` grows by 60.
 * @throws with what promtool says
 */
function expectFiring(
  alert: string,
  count: 0 | 1,
  series: Readonly<Record<string, string>>,
  minutes: number,
) {
  const file = join(folder, `${alert}.test.yaml`);
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`;
  const test = {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [{ expr, eval_time: `${minutes}m`, exp_samples: [{ labels: "{}", value: count }] }],
  };
  // JSON is a part of YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: "1m", tests: [test] }));
  promtool("test", "rules", file);
}

it("reads the alert rules", () => {
  expect(promtool("check", "rules", rules)).toMatch(/SUCCESS: 10 rules found/);
});

it("finds a planted error", () => {
  const file = join(folder, "broken.yaml");
  writeFileSync(file, readFileSync(rules, "utf8").replace("max by (app, node) (", "max by (app node) ("));
  expect(() => promtool("check", "rules", file)).toThrow();
});

const verdicts = (outcome: string) => `sluice_verdicts_total{app="shop",outcome="${outcome}"}`;
const counted = 'sluice_rule_requests_total{app="shop",rule="req/ip"}';

describe("an alert fires in trouble alone", () => {
  it.each<[string, number, Record<string, string>, Record<string, string>]>([
    ["SluiceRedisDown", 5, { sluice_redis_up: "0x10" }, { sluice_redis_up: "1x10" }],
    ["SluiceCountersDown", 5, { sluice_counters_up: "0x10" }, { sluice_counters_up: "1x10" }],
    ["SluiceNoNode", 10, { sluice_redis_up: "1x10" }, { 'sluice_nodes{app="shop"}': "2x10" }],
    [
      "SluiceNodeStale",
      9,
      { 'sluice_node_replica_age_seconds{app="shop",node="a"}': "90x10" },
      { 'sluice_node_replica_age_seconds{app="shop",node="a"}': "1x10" },
    ],
    [
      "SluiceUnweighed",
      20,
      { 'sluice_unweighed_total{app="shop"}': "0+60x30", [verdicts("pass")]: "0+600x30" },
      { 'sluice_unweighed_total{app="shop"}': "0+1x30", [verdicts("pass")]: "0+600x30" },
    ],
    [
      "SluiceDenialsHigh",
      20,
      { [verdicts("throttled")]: "0+600x30", [verdicts("pass")]: "0+600x30" },
      { [verdicts("throttled")]: "0+6x30", [verdicts("pass")]: "0+600x30" },
    ],
    [
      "SluiceRuleNearLimit",
      50,
      { 'sluice_rule_near_limit_total{app="shop",rule="req/ip"}': "0+300x60", [counted]: "0+600x60" },
      { 'sluice_rule_near_limit_total{app="shop",rule="req/ip"}': "0+6x60", [counted]: "0+600x60" },
    ],
    [
      "SluiceOverLimit",
      50,
      { 'sluice_over_limit_total{app="shop",rule="req/ip"}': "0+60x60", [counted]: "0+600x60" },
      { 'sluice_over_limit_total{app="shop",rule="req/ip"}': "0+1x60", [counted]: "0+600x60" },
    ],
    [
      "SluiceAuditLogWentBack",
      15,
      { sluice_audit_records: "50x10 7x10" },
      { sluice_audit_records: "1+1x20" },
    ],
    [
      "SluiceCheckWithoutVerdict",
      20,
      { 'sluice_check_refused_total{reason="token"}': "0+60x30" },
      { 'sluice_check_refused_total{reason="token"}': "0x30" },
    ],
  ])("%s", (alert, minutes, trouble, ordinary) => {
    expectFiring(alert, 1, trouble, minutes);
    expectFiring(alert, 0, ordinary, minutes);
  });
});
