import { expect, it } from "vitest";
import type { Step } from "../../enforce/limits/plan.ts";
import { definePolicy } from "../../enforce/policy/define.ts";
import type { TopClient } from "./client-counts.ts";
import { type ClientReading, rankClients, splitByOwner, Trend } from "./offenders.ts";

const client = (name: string, denied = 0): TopClient => ({
  name: { kind: "ip", client: name },
  ...{ requests: denied, denied, lastMinute: { requests: denied, denied }, app: "shop" },
});

function reading(
  of: TopClient,
  used: number,
  more: Partial<Step> & { resetMs?: number } = {},
): ClientReading {
  const { resetMs = 1_000, ...wanted } = more;
  const step: Step = {
    ...{
      rule: "req",
      algorithm: "fixed",
      limit: 100,
      periodSeconds: 60,
      overageWeight: 1,
      isShadowed: false,
    },
    ...wanted,
  };
  return { ...of, step, reading: { used, resetMs, isOver: used >= step.limit }, ratio: used / step.limit };
}

it("ranks clients by denials of the last minute, then by their share of a limit", () => {
  const [busy, quiet, near, over, blocked] = ["busy", "quiet", "near", "over", "blocked"].map((name, i) =>
    client(name, [600, 6, 0, 0, 60][i]),
  ) as [TopClient, TopClient, TopClient, TopClient, TopClient];
  const foreign = reading(client("foreign"), 9, { limit: Number.POSITIVE_INFINITY });
  const readings = [reading(near, 99), reading(over, 100), reading(quiet, 100), reading(busy, 100)];
  const unseen = client("unseen");
  const all = [unseen, blocked, near, over, quiet, busy];
  const ranked = rankClients(all, readings, [{ ...foreign, ratio: 0 }]);
  expect(ranked.map(({ name }) => name.client)).toEqual([
    "busy",
    "blocked",
    "quiet",
    "over",
    "foreign",
    "near",
  ]);
  expect(ranked.map(({ standing }) => standing)).toEqual([
    ...["throttled", "unknown", "throttled", "throttled", "unknown", "near"],
  ]);
});

it("joins a client's counter and estimate, and says when the last of them clears", () => {
  const one = client("one", 5);
  const ranked = rankClients(
    [one],
    [
      reading(one, 50),
      reading(one, 110, { rule: "req/2", resetMs: 9_000 }),
      reading(one, 3, { rule: "rate", algorithm: "earrrl", limit: 2, resetMs: 20_000 }),
      reading(one, 500, { rule: "watched", isShadowed: true, resetMs: 1 }),
    ],
  );
  expect(ranked).toMatchObject([
    {
      counter: { step: { rule: "req/2" } },
      estimate: { step: { rule: "rate" } },
      ...{ standing: "throttled", clearsMs: 20_000 },
    },
  ]);
  const shadowed = rankClients([one], [reading(one, 500, { isShadowed: true })]);
  expect(shadowed).toMatchObject([{ standing: "shadow" }]);
  expect(rankClients([one], [reading(one, 10)])).toMatchObject([{ standing: "under", clearsMs: undefined }]);
});

it("keeps what was read, and takes two questions of almost one moment as one", () => {
  const trend = new Trend({ most: 3 });
  trend.add("a", 1, 1_000);
  trend.add("a", 2, 1_400);
  expect(trend.add("a", 3, 2_000)).toEqual([
    { at: 1_000, value: 2 },
    { at: 2_000, value: 3 },
  ]);
  trend.add("a", 4, 3_000);
  expect(trend.add("a", 5, 4_000).map(({ value }) => value)).toEqual([3, 4, 5]);
  expect(trend.add("b", 9, 4_000)).toHaveLength(1);
});

it("forgets clients that are no longer read", () => {
  const trend = new Trend({ forgottenAfterMs: 100 });
  trend.add("a", 1, 1_000);
  trend.add("b", 1, 1_090);
  trend.forget(1_150);
  expect(trend.add("a", 2, 1_700)).toHaveLength(1);
  expect(trend.add("b", 2, 1_700)).toHaveLength(2);
});

it("knows a scanned counter of a network by its rule", () => {
  const counter = { rule: "net", client: "203.0.113.0/24", periodSeconds: 60, count: 9 };
  const levels = [{ limit: 5, periodSeconds: 60 }];
  const policy = definePolicy({
    mode: "enforce",
    rules: [{ name: "net", client: { ip: {} }, algorithm: "fixed", levels }],
    tiers: {},
  });
  const { known } = splitByOwner([counter], policy, 0);
  expect(known.map(({ name }) => name)).toEqual([{ kind: "rule", rule: "net", client: "203.0.113.0/24" }]);
});
