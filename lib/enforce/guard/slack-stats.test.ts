import { expect, it, vi } from "vitest";
import { addEntries } from "../../manage/lists/add.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { ClientCounts } from "../../observe/stats/client-counts.ts";
import { Series, sumOf } from "../../observe/stats/series.ts";
import { readTotals } from "../../observe/stats/totals.ts";
import { eventually } from "../../redis/testing.ts";
import { fields } from "../stats/fields.ts";
import type { GuardRequest } from "./request.ts";
import { isDenied, type Verdict, verdict } from "./verdict.ts";
import { burst, inTurn, newClient, periodSeconds, ruleOf, testNodes } from "./vitest.nodes.ts";

vi.mock(import("../limits/scales.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientScales(original),
);

const nodes = testNodes(2);
const slack = 0.1;
const apps = ["node-0", "node-1"];
const rules = [
  ruleOf("loose", "fixed", { slack, match: { except: ["/few", "/shadow"] } }),
  ruleOf("few", "fixed", { match: { only: ["/few"] }, levels: [{ limit: 5, periodSeconds }] }),
  ruleOf("shadow", "gcra", {
    ...{ slack, match: { only: ["/shadow"] }, mode: "shadow" },
    levels: [{ limit: 30, periodSeconds }],
  }),
];

interface Counts {
  readonly outcomes: Record<string, number>;
  readonly denials: Record<string, number>;
  readonly shadows: Record<string, number>;
  readonly unsure: number;
  readonly latencies: number;
}

/** What statistics hold of verdicts. */
function countsOf(verdicts: readonly Verdict[]): Counts {
  const deniedBy = ({ outcome, by }: Verdict) =>
    outcome === "throttled" && by?.kind === "level" ? [by.rule] : [];
  return {
    outcomes: tally(verdicts.map(({ outcome }) => outcome)),
    denials: tally(verdicts.flatMap(deniedBy)),
    shadows: tally(verdicts.flatMap(({ shadowed }) => shadowed)),
    unsure: verdicts.filter(({ trouble }) => trouble !== undefined).length,
    latencies: verdicts.length,
  };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

async function reported(): Promise<Record<string, Counts>> {
  const totals = await readTotals(nodes.control.client, (name) => name);
  return Object.fromEntries(
    totals.map(({ app, outcomes, denials, shadows, unsure, latencies }) => [
      app,
      {
        outcomes: Object.fromEntries(outcomes),
        denials: Object.fromEntries(denials),
        shadows: Object.fromEntries(shadows),
        unsure,
        latencies: latencies.reduce((sum, count) => sum + count, 0),
      },
    ]),
  );
}

const minuteNow = () => Math.floor(Date.now() / 60_000);

it("count each decision once, whether it waited for Redis or not", async () => {
  await nodes.enforce(rules);
  const [many, few, shadowed, blocked, safe] = Array.from({ length: 5 }, newClient);
  const signedIn: GuardRequest = { ip: newClient(), path: "/", customerId: "acme" };
  const change = (list: "blocklist" | "safelist", ip = "") => ({
    list,
    addresses: [at(ip)],
    reason: "a test",
  });
  await nodes.applied(await addEntries(nodes.by(), change("blocklist", blocked)));
  await nodes.applied(await addEntries(nodes.by(), change("safelist", safe)));
  // Each node has reported one decision on an unknown client.
  const decided = apps.map(() => [verdict.unsure("unknown-client")]);
  const came = new Map<string, { requests: number; denied: number }>();
  const firstMinute = minuteNow();
  const callsBefore = await nodes.calls();

  const add = (node: number, name: string | undefined, verdicts: readonly Verdict[]) => {
    decided[node]?.push(...verdicts);
    if (name === undefined) return;
    const sum = came.get(name) ?? { requests: 0, denied: 0 };
    sum.requests += verdicts.length;
    sum.denied += verdicts.filter(isDenied).length;
    came.set(name, sum);
  };
  for (const [node, guard] of nodes.guards.entries()) {
    add(node, many, await inTurn(guard, 40, { ip: many, path: "/" }));
    add(node, many, await burst(guard, 20, { ip: many, path: "/" }));
    add(node, few, await inTurn(guard, 9, { ip: few, path: "/few" }));
    add(node, shadowed, await inTurn(guard, 25, { ip: shadowed, path: "/shadow" }));
    add(node, blocked, await inTurn(guard, 4, { ip: blocked, path: "/" }));
    add(node, safe, await inTurn(guard, 3, { ip: safe, path: "/" }));
    for (let i = 1; i <= 30; i++)
      add(node, "2001:db8:0:7::/64", [await guard.check({ ip: `2001:db8:0:7::${i}`, path: "/" })]);
    const ofCustomer = await inTurn(guard, 30, signedIn);
    add(node, signedIn.ip, ofCustomer);
    const sum = came.get("acme")?.requests ?? 0;
    came.set("acme", { requests: sum + ofCustomer.length, denied: 0 });
    add(node, undefined, [await guard.check({ ip: undefined })]);
  }
  const requests = decided.flat().length;
  expect((await nodes.calls()) - callsBefore).toBeLessThan(requests / 3);

  const expected = () => Object.fromEntries(apps.map((app, node) => [app, countsOf(decided[node] ?? [])]));
  await eventually(async () => expect(await reported()).toEqual(expected()), 10_000);
  expect(countsOf(decided.flat())).toMatchObject({ outcomes: { throttled: 13, blocked: 8, safelisted: 6 } });

  // With a later report, nothing has been counted again.
  for (const [node, guard] of nodes.guards.entries())
    add(node, undefined, [await guard.check({ ip: undefined })]);
  await eventually(async () => expect(await reported()).toEqual(expected()), 10_000);
  const hours = await new Series(nodes.control.client).read(3_600, 2, Date.now());
  for (const [app, { outcomes }] of Object.entries(expected()))
    for (const [outcome, count] of Object.entries(outcomes))
      expect(sumOf(hours, fields.outcome(outcome), app), `${app} ${outcome}`).toBe(count);

  const minutes = Array.from({ length: minuteNow() - firstMinute + 1 }, (_, i) => firstMinute + i);
  const top = { minutes, most: 20, by: "requests", rules: (name: string) => name } as const;
  const hitters = await new ClientCounts(nodes.control.client).top(top);
  expect(new Map(hitters.map(({ name, requests, denied }) => [name.client, { requests, denied }]))).toEqual(
    came,
  );
});
