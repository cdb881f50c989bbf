import { expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { keys } from "../redis/keys.ts";
import { askStanding } from "./ask.ts";
import { customer } from "./vitest.customers.ts";

const log = testLog();
const acme = customer("acme");
const ask = () => askStanding(log.signed().redis, acme);

it("knows what Redis knows", async () => {
  expect(await ask()).toBeUndefined();
  await log.client.set(keys.tier(acme), "Pro");
  expect(await ask()).toEqual({ tier: "pro", override: undefined });
  await log.client.hset(keys.override(acme), { "60": "5", junk: "x" });
  expect(await ask()).toEqual({ tier: "pro", override: [{ limit: 5, periodSeconds: 60 }] });
});

it("passes over what is of another type, and tells of any other trouble", async () => {
  await log.client.rpush(keys.tier(acme), "x");
  await log.client.set(keys.override(acme), "x");
  expect(await ask()).toBeUndefined();
  const closed = log.connect();
  closed.disconnect();
  await expect(askStanding(closed, acme)).rejects.toThrow();
});
