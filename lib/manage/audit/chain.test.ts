import { beforeEach, describe, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { verifyChain } from "./chain.ts";
import { commit } from "./commit.ts";
import { sealFrom } from "./seal.ts";
import { seal, testLog } from "./vitest.log.ts";

const log = testLog();

type Row = [id: string, fields: string[]];

async function write(times: number, by = log.signed()) {
  for (let i = 0; i < times; i++) {
    await commit(by, {
      action: "blocklist.add",
      reason: `number ${i}`,
      slots: [{ key: `blocklist:203.0.113.${i % 250}`, target: `203.0.113.${i % 250}` }],
      decide: () => ({ writes: [{ slot: 0, to: { value: `x${i}`, expiresAt: null } }] }),
    });
  }
}

/** An intruder with access to Redis, but without the secret, can rewrite the whole log. */
async function rewrite(alter: (rows: Row[]) => Row[]) {
  const rows = alter(await log.client.xrange(keys.audit(), "-", "+"));
  await log.client.del(keys.audit());
  for (const [id, fields] of rows) await log.client.xadd(keys.audit(), id, ...fields);
}

async function problems() {
  return (await verifyChain(log.signed().redis, seal)).problems;
}

describe("a log of ten records", () => {
  beforeEach(() => write(10));

  it("is sound as it was written", async () => {
    await log.expectSoundChain(10);
  });

  it("shows a record that was altered", async () => {
    await rewrite((rows) =>
      rows.map(([id, fields]) => [
        id,
        id === "4-0" ? fields.map((text) => text.replace("ada", "eve")) : fields,
      ]),
    );
    expect(await problems()).toEqual([
      "Record 4 was altered, or put in by a writer that does not know the secret.",
    ]);
  });

  it("shows a record that was sealed again with another secret", async () => {
    await rewrite((rows) =>
      rows.map(([id, fields]) => {
        const [, record = "", , previous = ""] = fields;
        const forged = record.replace("ada", "eve");
        const mac = sealFrom("a guess").record(previous, forged);
        return [id, id === "4-0" ? ["record", forged, "previous", previous, "mac", mac] : fields];
      }),
    );
    expect(await problems()).toEqual([
      "Record 4 was altered, or put in by a writer that does not know the secret.",
    ]);
  });

  it.each([
    [["1-0"], ["Record 1 is missing."]],
    [["5-0"], ["Record 5 is missing."]],
    [["5-0", "6-0", "7-0"], ["Records 5 to 7 are missing."]],
    [
      ["2-0", "9-0"],
      ["Record 2 is missing.", "Record 9 is missing."],
    ],
    [["9-0", "10-0"], ["Records 9 to 10 are missing at the end."]],
  ])("shows that %j were taken out", async (ids, expected) => {
    await log.client.xdel(keys.audit(), ...ids);
    expect(await problems()).toEqual(expected);
  });

  it("shows a record that was put in between", async () => {
    await rewrite((rows) => rows.flatMap((row) => (row[0] === "4-0" ? [row, ["4-1", row[1]]] : [row])));
    expect(await problems()).toEqual(["The record 4-1 was put in: Sluice gives no such number."]);
  });

  it("shows a record that was put in at the end", async () => {
    await log.client.xadd(keys.audit(), "11-0", "record", '{"n":11}', "previous", "x", "mac", "y");
    expect(await problems()).toEqual([
      "Record 11 was altered, or put in by a writer that does not know the secret.",
      "Record 11 is beyond the end of the log: put in.",
    ]);
  });

  it("shows a genuine record in another's place", async () => {
    await rewrite((rows) => rows.map(([id, fields]) => [id, id === "6-0" ? (rows[3]?.[1] ?? []) : fields]));
    expect(await problems()).toEqual(["Record 6 is a copy of record 4."]);
  });

  it("shows a tail that was cut off, also with the end moved to match", async () => {
    const last = (await log.client.xrange(keys.audit(), "8-0", "8-0"))[0]?.[1][5] ?? "";
    await log.client.xdel(keys.audit(), "9-0", "10-0");
    await log.client.hset(keys.auditHead(), { n: 8, mac: last });
    expect(await problems()).toEqual([
      "The end of the log (sluice:audit:head) was altered: the log may have been cut off.",
    ]);
  });

  it("shows a log that was taken away with its end", async () => {
    await log.client.del(keys.audit(), keys.auditHead());
    expect(await problems()).toEqual([
      "Change 10 was made, but the log ends with change 0: its end is missing.",
    ]);
  });

  it("shows a tail that was cut off, also with an end that was genuine once", async () => {
    const old = await log.client.hgetall(keys.auditHead());
    await write(2);
    await log.client.xdel(keys.audit(), "11-0", "12-0");
    await log.client.hset(keys.auditHead(), old);
    expect(await problems()).toEqual(["Records 11 to 12 are missing at the end."]);
  });

  it("shows a tail that was cut off though an earlier record claims a change far beyond the last one", async () => {
    const { redis } = log.signed();
    await commit(log.signed({ name: "auto:x", via: "auto:x" }), {
      action: "blocklist.ban",
      reason: "",
      slots: [{ key: "sluice:bans:pending", field: "999999999999999", isAside: true, target: "x" }],
      decide: () => ({
        made: { at: "2026-01-01T00:00:00.000Z", change: 999_999_999_999_999, changes: [] },
        writes: [{ slot: 0, to: { value: "x", expiresAt: null } }],
      }),
    });
    const old = await log.client.hgetall(keys.auditHead());
    await write(2);
    // All of it put back, but for the counter of changes.
    const rows = await log.client.xrange(keys.audit(), "-", "11-0");
    await log.client.del(keys.audit(), keys.auditHead());
    for (const [id, fields] of rows) await log.client.xadd(keys.audit(), id, ...fields);
    await log.client.hset(keys.auditHead(), old);
    expect((await verifyChain(redis, seal)).problems).toEqual([
      "Change 12 was made, but the log ends with change 10: its end is missing.",
    ]);
  });

  it("shows a missing head", async () => {
    await log.client.del(keys.auditHead());
    expect(await problems()).toEqual(["The end of the log (sluice:audit:head) is missing."]);
  });

  it("shows a missing log", async () => {
    await log.client.del(keys.audit());
    expect(await problems()).toEqual(["Records 1 to 10 are missing at the end."]);
  });

  it("goes on showing a cut when more was written after it", async () => {
    await log.client.xdel(keys.audit(), "9-0", "10-0");
    await write(2);
    expect(await problems()).toEqual(["Records 9 to 10 are missing."]);
  });

  it("shows a genuine record of another log", async () => {
    const other = await log.client.xrange(keys.audit(), "6-0", "6-0");
    await log.client.flushall();
    await write(10);
    await rewrite((rows) => rows.map((row) => (row[0] === "6-0" ? (other[0] ?? row) : row)));
    expect(await problems()).toEqual(["Record 6 does not follow the one before it."]);
  });

  it("tells a wrong secret from a forged log", async () => {
    const report = await verifyChain(log.signed().redis, sealFrom("another"));
    expect(report.problems).toEqual([
      "None of the 10 records fits NEXTAUTH_SECRET: it is not the one they were sealed with.",
    ]);
  });

  it("survives records that are no JSON", async () => {
    await rewrite((rows) => rows.map(([id, fields]) => [id, id === "3-0" ? ["x", "y"] : fields]));
    expect(await problems()).toHaveLength(1);
  });
});

it("reads a long log in pages while others go on writing", async () => {
  await write(1_200);
  const [report] = await Promise.all([verifyChain(log.signed().redis, seal), write(20)]);
  expect(report.problems).toEqual([]);
  expect(report.records).toBeGreaterThanOrEqual(1_200);
});

it("lets others have their turn, tells how far it came, and can be stopped", async () => {
  await write(3_000);
  let turns = 0;
  const clock = setInterval(() => turns++, 1);
  const seen: number[] = [];
  const onProgress = (records: number) => void seen.push(records);
  await verifyChain(log.signed().redis, seal, { onProgress });
  clearInterval(clock);
  expect(turns).toBeGreaterThan(2);
  expect(seen.length).toBeGreaterThan(4);
  expect(seen.at(-1)).toBe(3_000);
  const stop = new AbortController();
  const stopped = verifyChain(log.signed().redis, seal, {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await expect(stopped).rejects.toThrow("aborted");
});

it("refuses to go on with another secret, and writes nothing", async () => {
  await write(2);
  const stranger = { ...log.signed(), seal: sealFrom("another secret") };
  await expect(write(1, stranger)).rejects.toThrow(
    "NEXTAUTH_SECRET is not the one that sealed the audit log",
  );
  await log.expectSoundChain(2);
});

it("bounds what it tells", async () => {
  await write(300);
  await rewrite((rows) => rows.map(([id, fields], i) => [id, i % 2 ? fields : ["record", "{}"]]));
  const report = await verifyChain(log.signed().redis, seal);
  expect(report.problemCount).toBe(150);
  expect(report.problems).toHaveLength(100);
});

it("an empty log is sound; no secret is shown", async () => {
  await log.expectSoundChain(0);
  expect(() => sealFrom("")).toThrow("NEXTAUTH_SECRET is missing");
});
