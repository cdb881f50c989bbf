import { expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { keys } from "../../redis/keys.ts";
import { replayDraft } from "./replay.ts";

const log = testLog();
const acme = customer("acme");
/** An hour of five a minute, of which the busiest minute has 150. */
const hour = Array.from({ length: 60 }, (_, i) => ({ minute: 28_333_440 + i, requests: i === 30 ? 150 : 5 }));
const replayed = (wish = {}) => replayDraft(log.signed().redis, acme, wish, hour);

it("compares the current limits with those of a draft", async () => {
  await log.client.set(keys.tier(acme), "free");
  const { mode, before, after, narrower } = await replayed({ tier: "pro" });
  expect([mode, before.requests, before.denied, after.denied]).toEqual(["enforce", 445, 345, 50]);
  expect(after.levels.map(({ peak, windows }) => [peak, windows])).toEqual([
    [150, 1],
    [445, 0],
  ]);
  // It excepts static files, which cannot be distinguished afterwards.
  expect(narrower).toEqual(["req/customer"]);
});

it("takes the customer's own levels first, and a draft without them", async () => {
  await log.client.set(keys.tier(acme), "enterprise");
  await log.client.hset(keys.override(acme), "3600", "45");
  expect((await replayed()).after.denied).toBe(400);
  expect((await replayed({ levels: null })).after.denied).toBe(0);
  const tight = await replayed({ levels: [{ limit: 5, periodSeconds: 60 }] });
  expect([tight.after.denied, tight.fitting]).toEqual([145, ["enterprise"]]);
});

it("counts one without levels as limits for anonymous clients do, and leaves out what weighs by the moment", async () => {
  const rule = {
    ...{ name: "rate/customer", client: "customer", algorithm: "earrrl" },
    levels: [{ limitPerSecond: 1, halfLifeSeconds: 60 }],
  } as const;
  const policy = { ...defaultPolicy, rules: [...defaultPolicy.rules, rule] };
  await setPolicy(log.signed(), { policy, basedOn: 0, reason: "" });
  expect(await replayed()).toMatchObject({
    before: {
      requests: 445,
      denied: 0,
      levels: [{ step: { rule: "req/ip/1" } }, { step: { rule: "req/ip/2" } }],
    },
    leftOut: ["rate/customer"],
  });
  await log.client.set(keys.tier(acme), "free");
  expect((await replayed()).before.levels).toHaveLength(1);
});
