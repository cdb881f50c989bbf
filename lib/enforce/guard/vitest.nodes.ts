import { afterAll, beforeAll, expect } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { changeProgress } from "../../observe/stats/nodes.ts";
import { readTotals } from "../../observe/stats/totals.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { type Algorithm, models, type WindowAlgorithm, windowAlgorithms } from "../algorithms/algorithms.ts";
import { longestPeriodSeconds } from "../policy/bounds.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { readPolicy } from "../policy/versions.ts";
import { fieldOfApp, fields } from "../stats/fields.ts";
import type { Explanation } from "./explain.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { GuardRequest } from "./request.ts";
import type { Verdict } from "./verdict.ts";

type RuleInput = PolicyInput["rules"][number];

/** The longest period there is, so that no window ends while a test runs. */
export const periodSeconds = longestPeriodSeconds;
export const limit = 300;

/** A rule of one level that counts addresses. */
export function ruleOf(name: string, algorithm: WindowAlgorithm, given: object = {}): RuleInput {
  // The one cast: TypeScript cannot follow that the fields given are those of a rule. The policy's schema checks them.
  return { name, client: "ip", algorithm, levels: [{ limit, periodSeconds }], ...given } as RuleInput;
}

const keepsHits = (name: Algorithm) => models[name].keepsHits;
/** Algorithms that count requests, and can be exceeded by a slack. */
export const slackAlgorithms = windowAlgorithms.filter((name) => !keepsHits(name));

let clients = 0;
/** An address that no test has used. */
export function newClient(): string {
  clients++;
  return `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`;
}

/** What became of requests. A machine so busy that counters answered late gives verdicts without counts: these are unsure. */
export interface Tally {
  readonly passed: number;
  readonly denied: number;
  readonly unsure: number;
}

export function tallyOf(verdicts: readonly Verdict[]): Tally {
  const sure = verdicts.filter(({ trouble }) => trouble === undefined);
  const passed = sure.filter(({ outcome }) => outcome === "pass").length;
  return { passed, denied: sure.length - passed, unsure: verdicts.length - sure.length };
}

/**
 * Makes the requests of a new client until no counter answered late, which a verdict says, and returns that client.
 * @param check what holds in any case
 */
export async function untilSure(
  ask: (ip: string) => Promise<readonly Verdict[]>,
  check: (tally: Tally) => void,
): Promise<{ readonly ip: string; readonly tally: Tally }> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const ip = newClient();
    const tally = tallyOf(await ask(ip));
    check(tally);
    if (tally.unsure === 0) return { ip, tally };
  }
  throw new Error("the counters answered late each time");
}

/** Expects that exactly so many requests of one client pass. */
export async function expectExactly(
  passing: number,
  ask: (ip: string) => Promise<readonly Verdict[]>,
): Promise<void> {
  await untilSure(ask, ({ passed, denied, unsure }) => {
    expect(passed).toBeLessThanOrEqual(passing);
    expect(passed + unsure).toBeGreaterThanOrEqual(passing);
    expect(denied + unsure).toBeGreaterThan(0);
  });
}

export function burst(guard: Guard, size: number, request: GuardRequest): Promise<Verdict[]> {
  return Promise.all(Array.from({ length: size }, () => guard.check(request)));
}

export async function inTurn(guard: Guard, size: number, request: GuardRequest): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let i = 0; i < size; i++) verdicts.push(await guard.check(request));
  return verdicts;
}

/**
 * Waits until each node of a fleet, one an app, knows how many they are. It learns that from the reply to its report: one with a
 * decision that was made after all had joined.
 * @param decide makes each node decide on a request
 */
export async function untilCounted(
  { client }: TestRedis,
  apps: readonly string[],
  decide: () => Promise<unknown>,
): Promise<void> {
  await eventually(async () => expect(await client.zcard(keys.nodes())).toBe(apps.length));
  const passes = apps.map((app) => fieldOfApp(app, fields.outcome("pass")));
  const reported = async () => (await client.hmget(keys.totals(), ...passes)).map(Number);
  const before = await reported();
  await decide();
  await eventually(async () => {
    for (const [node, decisions] of (await reported()).entries())
      expect(decisions).toBeGreaterThan(before[node] ?? 0);
  });
  await new Promise(setImmediate);
}

/** What the counters hold for a request that one rule counts. Asks again where they answered late. */
export function readUsed(explain: () => Promise<Explanation>): Promise<number> {
  return eventually(async () => {
    const { steps } = await explain();
    const [used, ...others] = steps.flatMap(({ rules = [] }) => rules.map((rule) => rule.used));
    if (used === undefined || others.length > 0) throw new Error("one rule was expected to be read");
    return used;
  });
}

/** What passed above a rule's limit, as all nodes have reported it. */
export async function overOf({ client }: TestRedis, rule: string): Promise<number> {
  const totals = await readTotals(client, (name) => name);
  return totals.reduce((sum, { overs }) => sum + (overs.get(rule) ?? 0), 0);
}

/** Saves a policy. */
export async function save(
  { client }: TestRedis,
  rules: PolicyInput["rules"],
  tiers: PolicyInput["tiers"] = {},
): Promise<number> {
  const { version } = await readPolicy(client);
  const policy = { mode: "enforce", rules, tiers };
  const { change } = await setPolicy(byAda(client), { policy, basedOn: version, reason: "a test" });
  if (change === null) throw new Error("the same policy was in force");
  return change;
}

/** Waits until every node has a change in force. */
export async function untilApplied({ client }: TestRedis, change: number, count: number): Promise<void> {
  await eventually(async () => {
    const { lagging, nodes } = await changeProgress(client, change);
    expect([nodes, lagging]).toEqual([count, []]);
  });
}

const byAda = (redis: TestRedis["client"]) => ({
  actor: { name: "ada@example.org", via: "console" as const },
  redis,
  seal: sealFrom("a secret of the tests"),
  protectedRanges: [],
});

/** Servers of a test file's own, for lists and for counters, and nodes of one fleet that know how many they are. */
export function testNodes(count: number) {
  let control: TestRedis;
  let counters: TestRedis;
  let guards: Guard[] = [];
  const appOf = (node: number) => `node-${node}`;

  const open = (node: number): Guard =>
    createGuard({ redis: control.url, counters: counters.url, app: appOf(node), log: () => {} });

  async function settle(): Promise<void> {
    await Promise.all(guards.map((guard) => guard.ready()));
    const decide = () => Promise.all(guards.map((guard) => guard.check({ ip: undefined })));
    await untilCounted(
      control,
      guards.map((_, node) => appOf(node)),
      decide,
    );
  }

  beforeAll(async () => {
    [control, counters] = await Promise.all([startRedis(), startRedis()]);
    guards = Array.from({ length: count }, (_, node) => open(node));
    await settle();
  });
  afterAll(async () => {
    await Promise.all(guards.map((guard) => guard.close()));
    await Promise.all([control.stop(), counters.stop()]);
  });

  function nodeOf(node: number): Guard {
    const guard = guards[node];
    if (!guard) throw new Error(`there is no node ${node}`);
    return guard;
  }

  async function applied({ change }: { readonly change: number | null }): Promise<void> {
    if (change === null) throw new Error("nothing was changed");
    await untilApplied(control, change, guards.length);
  }

  return {
    by: () => byAda(control.client),
    /** Waits until every node has a change in force. */
    applied,
    get control() {
      return control;
    },
    get counters() {
      return counters;
    },
    get guards() {
      return guards;
    },
    /** One of the nodes. */
    guard: (node = 0) => nodeOf(node),
    /** The last node leaves the fleet. */
    async closeLast(): Promise<void> {
      await guards.pop()?.close();
    },
    async enforce(rules: PolicyInput["rules"], tiers: PolicyInput["tiers"] = {}): Promise<void> {
      await untilApplied(control, await save(control, rules, tiers), guards.length);
    },
    /** What the counters hold for a request that one rule counts. */
    used: (request: GuardRequest) => readUsed(() => nodeOf(0).explain(request)),
    over: (rule: string) => overOf(control, rule),
    /** How often the counters were asked. */
    async calls(): Promise<number> {
      const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await counters.client.info("commandstats"));
      return Number(calls?.[1] ?? 0);
    },
  };
}
