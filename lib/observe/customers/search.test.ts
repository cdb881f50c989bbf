import { expect, it } from "vitest";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { listCustomers } from "./search.ts";

const log = testLog();

async function all(beginning = "", wanted = 1) {
  const ids: string[] = [];
  let cursor: string | null = "0";
  do {
    const page = await listCustomers(log.signed().redis, { beginning, cursor, wanted });
    ids.push(...page.customers.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== null);
  return ids.toSorted();
}

it("lists each customer once, whatever keys it has, and no other key", async () => {
  const batch = log.client.pipeline();
  for (let i = 0; i < 3_000; i++) {
    if (i % 3 !== 0) batch.set(`customer:c${i}:tier_redis`, "pro");
    if (i % 3 !== 1) batch.hset(`customer:c${i}:throttle_hash`, "60", "5");
    if (i % 5 === 0) batch.set(`customer:c${i}:suspended`, "x");
    batch.set(`safelist:10.0.${i >> 8}.${i & 255}`, "x");
  }
  batch.set("customer:only:suspended", "");
  batch.set("customer:a b:tier_redis", "pro").set("customer:x:other", "1");
  await batch.exec();
  expect(await all()).toEqual([...Array.from({ length: 3_000 }, (_, i) => `c${i}`), "only"].toSorted());
  expect(await all("c299")).toEqual(["c299", ...Array.from({ length: 10 }, (_, i) => `c299${i}`)]);
  expect(await all("nobody")).toEqual([]);
});

it("refuses what no id begins with, and pages that are none", async () => {
  const { redis } = log.signed();
  await expect(listCustomers(redis, { beginning: "a*" })).rejects.toMatchObject({
    code: "bad-input",
    message: "No customer id begins so: it has letters, digits and _ . @ - only.",
  });
  await expect(listCustomers(redis, { cursor: "x" })).rejects.toMatchObject({
    message: "The list does not go on there: begin again.",
  });
});
