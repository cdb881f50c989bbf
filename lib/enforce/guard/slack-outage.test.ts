import { afterEach, beforeAll, expect, it } from "vitest";
import { eventually } from "../../redis/testing.ts";
import type { GuardRequest } from "./request.ts";
import type { Verdict } from "./verdict.ts";
import { inTime } from "./vitest.in-time.ts";
import {
  expectExactly,
  inTurn,
  limit,
  newClient,
  periodSeconds,
  ruleOf,
  tallyOf,
  testNodes,
  untilSure,
} from "./vitest.nodes.ts";

const nodes = testNodes(1);
const few = 20;
const rules = [
  ruleOf("open", "fixed", { slack: 0.1, match: { only: ["/open"] } }),
  ruleOf("model", "fixed", {
    ...{ slack: 0.5, match: { only: ["/model"] }, onStoreError: "model" },
    levels: [{ limit: few, periodSeconds }],
  }),
];

/** What the node may pass of each rule without asking, as the only one of its fleet. */
const shares = { open: 30, model: 10 };

const setAccount = (...rights: string[]) =>
  nodes.counters.client.call("ACL", "SETUSER", "default", ...rights);
const setMemory = (bytes: number) =>
  nodes.counters.client.config("SET", "maxmemory-policy", "noeviction", "maxmemory", bytes);

const outages = {
  // A frozen server reads what was sent to it once it goes on.
  "is frozen": {
    begin: async () => nodes.counters.freeze(),
    end: async () => nodes.counters.thaw(),
    trouble: /^counters-late$/,
    keeps: true,
    countsLater: true,
  },
  "is killed, and comes back empty": {
    begin: async () => {
      await nodes.counters.kill();
      await eventually(() => expect(nodes.guard().status().state).toBe("degraded"));
    },
    end: () => nodes.counters.restart(),
    trouble: /^counters-away$/,
    keeps: false,
    countsLater: false,
  },
  // A busy machine may be late to refuse.
  "is full": {
    begin: () => setMemory(1),
    end: () => setMemory(0),
    trouble: /^counters-(refused|late)$/,
    keeps: true,
    countsLater: false,
  },
  "no longer lets the account count": {
    begin: () => setAccount("-evalsha", "-eval", "-incrby"),
    end: () => setAccount("+@all"),
    trouble: /^counters-(refused|late)$/,
    keeps: true,
    countsLater: false,
  },
};

beforeAll(() => nodes.enforce(rules));
afterEach(() => nodes.counters.thaw());

async function inTurnInTime(size: number, request: GuardRequest): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let i = 0; i < size; i++) verdicts.push(await inTime(nodes.guard().check(request), 50));
  return verdicts;
}

it.each(Object.entries(outages))(
  "while Redis %s, remembered clients get answers in time, and each rule does what its onStoreError says",
  async (_, { begin, end, trouble, keeps, countsLater }) => {
    const passTen = async (client: string) => [
      ...(await inTurn(nodes.guard(), 5, { ip: client, path: "/open" })),
      ...(await inTurn(nodes.guard(), 5, { ip: client, path: "/model" })),
    ];
    const { ip } = await untilSure(passTen, ({ passed, unsure }) => expect(passed + unsure).toBe(10));
    const [open, model] = [
      { ip, path: "/open" },
      { ip, path: "/model" },
    ];
    const used = async (request: GuardRequest) => Math.round(await nodes.used(request));
    for (const request of [open, model])
      await eventually(async () => expect(await used(request)).toBe(5), 10_000);

    await begin();
    const [openly, modelled] = [await inTurnInTime(80, open), await inTurnInTime(80, model)];
    for (const { outcome } of openly) expect(outcome).toBe("pass");
    for (const [verdicts, share] of [
      [openly, shares.open],
      [modelled, shares.model],
    ] as const) {
      const { passed, denied } = tallyOf(verdicts);
      expect(denied).toBe(0);
      expect(passed).toBeGreaterThanOrEqual(keeps ? 1 : 0);
      expect(passed).toBeLessThanOrEqual(keeps ? share : 0);
      // Once an answer was needed and not there, nothing passes as if it were.
      const unsure = verdicts.slice(verdicts.findIndex((verdict) => verdict.trouble !== undefined));
      expect(unsure).toHaveLength(verdicts.length - passed);
      for (const verdict of unsure) expect(verdict.trouble).toMatch(trouble);
    }
    const counted = modelled.filter((verdict) => verdict.trouble !== undefined);
    expect(counted.map(({ outcome }) => outcome)).toEqual(
      counted.map((_, i) => (i < few ? "pass" : "throttled")),
    );

    await end();
    const other = { ip: newClient(), path: "/open" };
    await eventually(async () => expect(await nodes.guard().check(other)).not.toHaveProperty("trouble"));
    const after = await inTurn(nodes.guard(), 20, open);
    expect(tallyOf(after)).toMatchObject({ denied: 0 });
    const { passed: without } = tallyOf(openly);
    const { passed, unsure } = tallyOf(after);
    const kept = keeps ? 5 : 0;
    // Charges that failed are lost, in the client's favour.
    await eventually(async () => expect(await used(open)).toBeGreaterThanOrEqual(kept + passed), 10_000);
    const mostLater = countsLater ? openly.length : without;
    expect(await used(open)).toBeLessThanOrEqual(kept + passed + unsure + mostLater);
    await expectExactly(limit, (fresh) => inTurn(nodes.guard(), limit + 20, { ip: fresh, path: "/open" }));
  },
);

it("keeps to the slack while Redis stalls ten times", async () => {
  const request = { ip: newClient(), path: "/open" };
  const other = { ip: newClient(), path: "/model" };
  const verdicts: Verdict[] = [];
  for (let i = 0; i < 10; i++) {
    await eventually(async () => {
      const found = await nodes.guard().check(request);
      verdicts.push(found);
      expect(found).not.toHaveProperty("trouble");
    });
    nodes.counters.freeze();
    // The share of this other client is used up: its answer is late.
    await inTurn(nodes.guard(), shares.model + 2, other);
    verdicts.push(...(await inTurn(nodes.guard(), 15, request)));
    await new Promise(setImmediate);
    nodes.counters.thaw();
  }
  verdicts.push(...(await inTurn(nodes.guard(), limit + 20, request)));
  const { passed, unsure } = tallyOf(verdicts);
  expect(passed).toBeLessThanOrEqual(limit + shares.open);
  expect(passed + unsure).toBeGreaterThanOrEqual(limit);
});
