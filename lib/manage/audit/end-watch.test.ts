import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { verifyChain } from "./chain.ts";
import { commit } from "./commit.ts";
import { AuditEndWatch, readAuditRecords } from "./end-watch.ts";
import { seal, testLog } from "./vitest.log.ts";

const log = testLog();
const lines: string[] = [];
let watch: AuditEndWatch;

beforeEach(() => {
  lines.length = 0;
  watch = new AuditEndWatch({ redis: log.signed().redis, seal, log: (line) => lines.push(line) });
});
afterEach(() => watch.stop());

async function write(times: number, reason = "x") {
  for (let i = 0; i < times; i++)
    await commit(log.signed(), {
      ...{ action: "blocklist.add", reason },
      slots: [{ key: `blocklist:203.0.113.${i}`, target: `203.0.113.${i}` }],
      decide: ({ now }) => ({ writes: [{ slot: 0, to: { value: `${now} ${i}`, expiresAt: null } }] }),
    });
}

/** What a writer to Redis can do: keep the whole log, and put it back later. */
async function keep() {
  const [rows, head] = [
    await log.client.xrange(keys.audit(), "-", "+"),
    await log.client.hgetall(keys.auditHead()),
  ];
  const change = (await log.client.get(keys.change())) ?? "";
  return async () => {
    await log.client.del(keys.audit(), keys.auditHead());
    for (const [id, fields] of rows) await log.client.xadd(keys.audit(), id, ...fields);
    if (rows.length > 0) await log.client.hset(keys.auditHead(), head);
    if (change === "") await log.client.del(keys.change());
    else await log.client.set(keys.change(), change);
  };
}

const check = async () => {
  await watch.look();
  return (await verifyChain(log.signed().redis, seal, { seen: watch.seen })).problems;
};

it("finds nothing wrong with a log that only grows", async () => {
  expect(await check()).toEqual([]);
  await write(3);
  expect(await check()).toEqual([]);
  await write(2);
  expect(await check()).toEqual([]);
  expect(watch.seen).toMatchObject({ n: 5 });
  expect(lines).toEqual([]);
});

describe("a log that was put back", () => {
  it("as a whole is found by a console that had seen more", async () => {
    await write(3);
    const putBack = await keep();
    await write(2);
    await watch.look();
    await putBack();
    expect((await verifyChain(log.signed().redis, seal)).problems).toEqual([]);
    expect(await check()).toEqual(["Records 4 to 5 are missing at the end: this console has seen record 5."]);
    expect(await check()).toHaveLength(1);
    expect(lines).toEqual([
      expect.stringContaining("ends with record 3, but this console has seen record 5"),
    ]);
  });

  it("and rewritten is found, however far it has come since", async () => {
    await write(3);
    const putBack = await keep();
    await write(2);
    await watch.look();
    await putBack();
    await write(4, "another");
    expect((await verifyChain(log.signed().redis, seal)).problems).toEqual([]);
    expect(await check()).toEqual([
      "Record 5 is not the one that this console has seen: the log was put back and rewritten.",
    ]);
    expect(lines).toHaveLength(1);
  });

  it("and is nothing at all any more is found", async () => {
    const putBack = await keep();
    await write(2);
    await watch.look();
    await putBack();
    expect((await verifyChain(log.signed().redis, seal)).problems).toEqual([]);
    expect(await check()).toEqual(["Records 1 to 2 are missing at the end: this console has seen record 2."]);
    expect(lines).toEqual([expect.stringContaining("The audit log is gone")]);
  });
});

it("believes no end that was not sealed", async () => {
  await write(1);
  await log.client.hset(keys.auditHead(), "n", "5000");
  await watch.look();
  expect(watch.seen).toBeUndefined();
});

it("tells a monitor how many records there are", async () => {
  const { redis } = log.signed();
  expect(await readAuditRecords(redis)).toBe(0);
  await write(4);
  expect(await readAuditRecords(redis)).toBe(4);
  await log.client.set(keys.auditHead(), "x");
  expect(await readAuditRecords(redis)).toBe(0);
});

describe("the number of the last change", () => {
  const changes = async () => (await log.records()).map(({ change }) => change);

  it.each(["999999999999999", "4000000000000000"])("goes on after %s", async (text) => {
    await log.client.set(keys.change(), text);
    await write(2);
    expect(await changes()).toEqual([Number(text) + 1, Number(text) + 2]);
    await log.expectSoundChain(2);
  });

  it.each(["9007199254740993", "99999999999999999999", "1e15", "-4", "", "x"])(
    "goes on after the one on record when the counter holds %s",
    async (text) => {
      await write(3);
      await log.client.set(keys.change(), text);
      await write(2);
      expect(await changes()).toEqual([1, 2, 3, 4, 5]);
      expect(await log.client.get(keys.change())).toBe("5");
      await log.expectSoundChain(5);
    },
  );

  it("goes on when the counter is gone, or went back", async () => {
    await write(2);
    await log.client.del(keys.change());
    await write(1);
    await log.client.set(keys.change(), "1");
    await write(1);
    expect(await changes()).toEqual([1, 2, 3, 4]);
  });
});
