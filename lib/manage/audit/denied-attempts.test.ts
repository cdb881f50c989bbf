import { beforeEach, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { refusalsHome, tallyRefusal } from "./denied-attempts.ts";
import { testLog } from "./vitest.log.ts";

const log = testLog();
const reason = "role viewer may not do this";
const refuse = (now: number, { action = "lists.add", name = "ada@example.org" } = {}) =>
  tallyRefusal(log.signed({ name }), { action, reason }, now);
const reasons = async () => (await log.records()).map((record) => record.reason);

beforeEach(() => forgetOnce(refusalsHome));

it("records the first of a minute at once, and the others in the next record", async () => {
  for (let i = 0; i < 42; i++) await refuse(i);
  expect(await log.records()).toMatchObject([{ action: "refused:lists.add", reason, changes: [] }]);
  await refuse(60_000);
  await refuse(120_000);
  expect(await reasons()).toEqual([reason, `${reason}, and 41 more since 1970-01-01T00:00:00.000Z`, reason]);
  await log.expectSoundChain(3);
});

it("tells actors and actions apart", async () => {
  await refuse(0);
  await refuse(0, { action: "lists.remove" });
  await refuse(0, { name: "eve@example.org" });
  expect(await reasons()).toEqual([reason, reason, reason]);
});

it("writes one record of many at once", async () => {
  await Promise.all(Array.from({ length: 20 }, () => refuse(0)));
  expect(await reasons()).toEqual([reason]);
});

it("tries again after a record that could not be written, and tells what was missed", async () => {
  await log.client.set(keys.audit(), "not a stream");
  await expect(refuse(0)).rejects.toThrow();
  await log.client.del(keys.audit());
  await refuse(1);
  expect(await reasons()).toEqual([`${reason}, and 1 more since 1970-01-01T00:00:00.000Z`]);
});

it("forgets the oldest of a thousand", async () => {
  await refuse(0, { action: "first" });
  await log.client.set(keys.audit(), "not a stream");
  for (let i = 0; i < 1_000; i++) await expect(refuse(0, { action: `${i}` })).rejects.toThrow();
  await log.client.del(keys.audit());
  await refuse(0, { action: "first" });
  expect(await reasons()).toEqual([reason]);
});
