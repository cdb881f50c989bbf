import { expect, it } from "vitest";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { keys } from "../../redis/keys.ts";
import { readStoredLimits } from "./stored-limits.ts";
import { keptMs, writeTierEnd } from "./tier.ts";
import { customer } from "./vitest.customers.ts";

const log = testLog();
const acme = customer("acme");
const read = () => readStoredLimits(log.signed().redis, acme);

it("reads tier and override from Redis", async () => {
  expect(await read()).toBeUndefined();
  await log.client.set(keys.tier(acme), "Pro");
  expect(await read()).toEqual({ tier: "pro", override: undefined });
  await log.client.hset(keys.override(acme), { "60": "5", junk: "x" });
  expect(await read()).toEqual({ tier: "pro", override: [{ limit: 5, periodSeconds: 60 }] });
});

it("reads what follows a tier that has ended, unless another program has set the tier again", async () => {
  const end = writeTierEnd({ tier: "enterprise", back: "pro", atMs: 0 });
  const save = async (leftMs: number) => {
    await log.client.set(keys.tier(acme), "enterprise", "PX", keptMs + leftMs);
    await log.client.set(keys.tierEnd(acme), end, "PX", keptMs + leftMs);
  };
  await save(60_000);
  expect(await read()).toMatchObject({ tier: "enterprise" });
  await save(0);
  expect(await read()).toMatchObject({ tier: "pro" });
  await log.client.set(keys.tier(acme), "enterprise");
  expect(await read()).toMatchObject({ tier: "enterprise" });
  await log.client.del(keys.tier(acme));
  expect(await read()).toBeUndefined();
});

it("reads a suspension, whatever its text", async () => {
  await log.client.set(keys.suspension(acme), "");
  expect(await read()).toEqual({ tier: undefined, override: undefined, isSuspended: true });
  await log.client.del(keys.suspension(acme));
  await log.client.rpush(keys.suspension(acme), "x");
  expect(await read()).toBeUndefined();
});

it("ignores keys of another type, and throws other errors", async () => {
  await log.client.rpush(keys.tier(acme), "x");
  await log.client.set(keys.override(acme), "x");
  expect(await read()).toBeUndefined();
  const closed = log.connect();
  closed.disconnect();
  await expect(readStoredLimits(closed, acme)).rejects.toThrow();
});
