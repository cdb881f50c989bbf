import { beforeEach, describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { BulkRecord } from "./bulk-record.ts";
import { verifyChain } from "./chain.ts";
import { commit } from "./commit.ts";
import type { Signed } from "./record.ts";
import { seal, testLog } from "./vitest.log.ts";

const log = testLog();
type Row = [id: string, fields: string[]];
let into: BulkRecord;
let stream: string;
let head: string;

const write = (ctx: Signed, i: number) =>
  commit(ctx, {
    action: "blocklist.import",
    reason: "a feed",
    slots: [{ key: `blocklist:203.0.113.${i}`, target: `203.0.113.${i}` }],
    decide: () => ({ writes: [{ slot: 0, to: { value: "x", expiresAt: null } }] }),
  });

beforeEach(async () => {
  into = new BulkRecord(log.signed(), {
    action: "blocklist.import",
    reason: "a feed",
    wanted: 6,
    request: "x",
  });
  for (let i = 1; i <= 6; i++) await write({ ...log.signed(), into }, i);
  const { n, mac } = into.bulk ?? { n: 0, mac: "" };
  stream = keys.auditPart(n, mac);
  head = keys.auditPartHead(n, mac);
});

async function rewrite(alter: (rows: Row[]) => Row[]) {
  const rows = alter(await log.client.xrange(stream, "-", "+"));
  await log.client.del(stream);
  for (const [id, fields] of rows) await log.client.xadd(stream, id, ...fields);
}

const problems = async () => (await verifyChain(log.signed().redis, seal)).problems;

describe("the parts of a record", () => {
  it("are sound as they were written, before it is finished and after", async () => {
    await log.expectSoundChain(1);
    await into.finish();
    await log.expectSoundChain(1);
    await write(log.signed(), 7);
    await log.expectSoundChain(2);
  });

  it("show that one was altered", async () => {
    await rewrite((rows) =>
      rows.map(([id, fields]) => [
        id,
        id === "3-0" ? fields.map((text) => text.replace("113.3", "113.9")) : fields,
      ]),
    );
    expect(await problems()).toEqual([
      "Part 3 of record 1 was altered, or put in by a writer that does not know the secret.",
    ]);
  });

  it.each([
    [["1-0"], "Part 1 of record 1 is missing."],
    [["3-0", "4-0"], "Parts 3 to 4 of record 1 are missing."],
    [["5-0", "6-0"], "Parts 5 to 6 of record 1 are missing at the end."],
  ])("show that %j were taken out", async (ids, says) => {
    await log.client.xdel(stream, ...ids);
    expect(await problems()).toEqual([says]);
  });

  it("show that their end was moved, or all of them were taken away", async () => {
    await into.finish();
    const facts = (await log.client.hget(head, "facts"))?.replace('"done":6', '"done":5') ?? "";
    await log.client.hset(head, { facts });
    expect(await problems()).toEqual([`The end of the parts of record 1 (${head}) was altered.`]);
    await log.client.del(stream, head);
    expect(await problems()).toEqual([
      `The entries of record 1 are missing (${head}).`,
      "Change 6 was made, but the log ends with change 0: its end is missing.",
    ]);
  });

  it("show an earlier end that was put back", async () => {
    const old = await log.client.hgetall(head);
    await write({ ...log.signed(), into }, 8);
    await log.client.xdel(stream, "7-0");
    await log.client.hset(head, old);
    expect(await problems()).toEqual([
      "Change 7 was made, but the log ends with change 6: its end is missing.",
    ]);
  });

  it("show a part of another record, and one that was put in at the end", async () => {
    const rows = await log.client.xrange(stream, "2-0", "2-0");
    const fields = rows[0]?.[1] ?? [];
    await log.client.xadd(stream, "7-0", ...fields);
    expect(await problems()).toEqual([
      "Part 7 of record 1 was altered, or put in by a writer that does not know the secret.",
      "Parts after 6 of record 1 are beyond their end: put in.",
    ]);
  });

  it("cannot be passed off as records", async () => {
    const [row] = await log.client.xrange(stream, "2-0", "2-0");
    await log.client.xadd(keys.audit(), "2-0", ...(row?.[1] ?? []));
    expect((await problems())[0]).toBe(
      "Record 2 was altered, or put in by a writer that does not know the secret.",
    );
  });

  it("get no more once the record is finished", async () => {
    await into.finish();
    await expect(write({ ...log.signed(), into }, 8)).rejects.toMatchObject({
      code: "changed-since",
      message: "Record 1 is finished: it takes no more entries.",
    });
    await into.finish();
    expect(await log.client.exists("blocklist:203.0.113.8")).toBe(0);
    await log.expectSoundChain(1);
  });

  it("are continued only from an end that Sluice wrote", async () => {
    await log.client.hset(head, { proof: "forged" });
    await expect(write({ ...log.signed(), into }, 8)).rejects.toMatchObject({
      code: "not-configured",
      message: expect.stringContaining("are not as Sluice wrote them"),
    });
    await log.client.del(head);
    await expect(write({ ...log.signed(), into }, 8)).rejects.toThrow("are not as Sluice wrote them");
    expect(await log.client.exists("blocklist:203.0.113.8")).toBe(0);
  });

  it("are whole while others go on writing them", async () => {
    let isOver = false;
    const writing = (async () => {
      for (let i = 10; i < 90 || !isOver; i++)
        await write({ ...log.signed({}, log.connect()), into }, i % 250);
    })();
    for (let i = 0; i < 10; i++) expect(await problems()).toEqual([]);
    isOver = true;
    await writing;
  });
});
