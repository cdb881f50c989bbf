import { expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { keys } from "../../redis/keys.ts";
import { testLog } from "../audit/vitest.log.ts";
import { changesOf } from "./customer-changes.ts";
import { setTier } from "./set-tier.ts";

const log = testLog();
const acme = customer("acme");
const tier = (id: string, name: string, reason = "") =>
  setTier(log.signed(), { id: customer(id), tier: name, reason });
const history = (options?: Parameters<typeof changesOf>[2]) => changesOf(log.signed().redis, acme, options);

it("tells a customer's own changes, newest first, and not those before a record", async () => {
  expect(await history()).toEqual([]);
  await tier("acme", "free", "plan lapsed");
  await tier("acme2", "pro");
  await tier("acme", "pro", "paid");
  const value = (name: string) => ({ value: name, expiresAt: null });
  const newest = {
    n: 3,
    at: expect.any(String),
    actor: "ada@example.org",
    via: "console",
    about: "customer.tier",
    isUndo: false,
    change: 3,
    reason: "paid",
    before: value("free"),
    after: value("pro"),
  };
  expect(await history()).toEqual([newest]);
  expect(await history({ most: 5 })).toMatchObject([newest, { n: 1, reason: "plan lapsed", before: null }]);
  expect(await history({ after: 1, most: 5 })).toEqual([newest]);
  expect(await history({ after: 3 })).toEqual([]);
});

it("looks behind pages of others, and is not misled by what they say", async () => {
  await tier("acme", "free");
  const batch = log.client.pipeline();
  const [whole] = await log.records();
  const other = { ...whole, action: "blocklist.add" };
  for (let n = 2; n < 350; n++) {
    const record = n % 7 === 0 ? '{"target":"acme"' : JSON.stringify({ ...other, n });
    batch.xadd(keys.audit(), `${n}-0`, "record", record);
  }
  await batch.exec();
  expect(await history()).toMatchObject([{ n: 1, about: "customer.tier" }]);
});

it("knows an undo by what it took back", async () => {
  await tier("acme", "free");
  const undoes = { n: 1, action: "customer.tier" };
  await setTier({ ...log.signed(), undoes }, { id: acme, tier: null, reason: "" });
  expect(await history()).toMatchObject([{ n: 2, about: "customer.tier", isUndo: true, after: null }]);
});
