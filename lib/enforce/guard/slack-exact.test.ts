import { it } from "vitest";
import { burst, expectExactly, periodSeconds, ruleOf, testNodes } from "./vitest.nodes.ts";

const nodes = testNodes(2);
const slack = 0.1;
const ofHundred = { slack, levels: [{ limit: 100, periodSeconds }] };
const ban = { after: 100_000, withinSeconds: 600, forSeconds: 600, capSeconds: 600 };

/** Of 200 requests that come after one to each node, so that both remember the client where they may. */
it.each([
  ["that keeps its hits in a list", 100, ruleOf("exact", "rolling-list", ofHundred), 1],
  ["that keeps its hits in a set", 100, ruleOf("exact", "rolling-set", ofHundred), 1],
  ["that bans", 100, ruleOf("exact", "fixed", { ...ofHundred, ban }), 1],
  [
    "that is closed without counters",
    100,
    ruleOf("exact", "fixed", { ...ofHundred, onStoreError: "closed" }),
    1,
  ],
  [
    "of fewer than ten requests for each node",
    19,
    ruleOf("exact", "fixed", { slack: 1, levels: [{ limit: 19, periodSeconds }] }),
    1,
  ],
  ["whose cost is above the share of a node", 16, ruleOf("exact", "fixed", { ...ofHundred, cost: 6 }), 1],
  [
    "whose requests cost more than the share of a node",
    16,
    ruleOf("exact", "gcra", { ...ofHundred, cost: "request" }),
    6,
  ],
  ["without slack", 100, ruleOf("exact", "fixed", { ...ofHundred, slack: 0 }), 1],
])("a rule %s is exact: %i requests pass", async (_, passing, rule, cost) => {
  await nodes.enforce([rule]);
  await expectExactly(passing, async (ip) => {
    const first = await Promise.all(nodes.guards.map((guard) => guard.check({ ip, cost })));
    const rest = await Promise.all(nodes.guards.map((guard) => burst(guard, 100, { ip, cost })));
    return [...first, ...rest.flat()];
  });
});

it("asks for each request that a rule without slack counts, beside one with slack", async () => {
  await nodes.enforce([
    ruleOf("loose", "fixed", { slack }),
    ruleOf("exact", "fixed", { levels: [{ limit: 100, periodSeconds }] }),
  ]);
  await expectExactly(100, async (ip) => {
    const bursts = await Promise.all(nodes.guards.map((guard) => burst(guard, 100, { ip })));
    return bursts.flat();
  });
});
