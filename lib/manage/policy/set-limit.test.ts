import { beforeEach, expect, it } from "vitest";
import { defineLimit, type LimitOptions, limitField, writeLimit } from "../../enforce/policy/code-limits.ts";
import { readLimits } from "../../observe/policy/code-limits.ts";
import { plainly } from "../../observe/records/pieces.ts";
import { sayRecord } from "../../observe/records/record-words.ts";
import { saySides } from "../../observe/records/sides.ts";
import { keys } from "../../redis/keys.ts";
import { testLog } from "../audit/vitest.log.ts";
import { undo } from "../undo/undo.ts";
import type { Role } from "../users/roles.ts";
import { setLimit } from "./set-limit.ts";

const log = testLog();
const levels = (limit: number) => [{ limit, periodSeconds: 60 }];
const reason = "an attack";

async function report(app: string, name: string, options: LimitOptions, ageMs = 0): Promise<void> {
  const limit = defineLimit(app, name, options);
  await log.client.hset(keys.codeLimits(), limitField(limit), writeLimit(limit, Date.now() - ageMs));
}

beforeEach(() => report("shop", "export", { levels: levels(10), by: "customer" }));

const published = async () =>
  JSON.parse((await log.client.hget(keys.limitOverrides(), "shop/export")) ?? "null");
const standing = async () => (await readLimits(log.connect(), Date.now()))[0];
const undone = (n: number, role: Role = "admin") =>
  undo({ ...log.signed(), protectedRanges: [], role }, { n, reason: "too much" });

it("publishes levels and a mode, each without the other, with records and numbers", async () => {
  expect(await setLimit(log.signed(), { limit: "shop/export", levels: levels(2), reason })).toEqual({
    change: 1,
  });
  expect(await setLimit(log.signed(), { limit: "shop/export", mode: "shadow", reason })).toEqual({
    change: 2,
  });
  expect(await published()).toMatchObject({
    levels: levels(2),
    mode: "shadow",
    by: "ada@example.org",
    reason,
  });
  expect(await standing()).toMatchObject({
    ...{ field: "shop/export", isDifferent: true, problem: undefined },
    inForce: { rule: { levels: levels(2), mode: "shadow" } },
    code: { rule: { levels: levels(10), mode: "enforce" } },
  });
  expect(await setLimit(log.signed(), { limit: "shop/export", mode: "shadow", reason })).toEqual({
    change: null,
  });
  await setLimit(log.signed(), { limit: "shop/export", levels: null, reason });
  expect(await published()).toMatchObject({ mode: "shadow" });
  await setLimit(log.signed(), { limit: "shop/export", mode: null, reason });
  expect(await log.client.exists(keys.limitOverrides())).toBe(0);
  const records = await log.records();
  expect(records.map((record) => plainly(sayRecord(record)))).toEqual([
    "changed the limit shop/export of code",
    "changed the limit shop/export of code",
    "changed the limit shop/export of code",
    "let the code decide about the limit shop/export",
  ]);
  const sides = records.flatMap((record) => record.changes.map((change) => saySides(record, change)));
  expect(sides.map(({ before, after }) => [plainly(before), plainly(after)])).toEqual([
    ["as the code has it", "2 per 1 min"],
    ["2 per 1 min", "2 per 1 min, mode shadow"],
    ["2 per 1 min, mode shadow", "mode shadow"],
    ["mode shadow", "as the code has it"],
  ]);
  await log.expectSoundChain(4);
});

it("is undone by an admin alone, unless it was changed since", async () => {
  await setLimit(log.signed(), { limit: "shop/export", levels: levels(2), reason });
  await setLimit(log.signed(), { limit: "shop/export", mode: "off", reason });
  for (const role of ["viewer", "staff", "support"] as const)
    await expect(undone(2, role)).rejects.toMatchObject({ code: "not-allowed" });
  await expect(undone(1)).rejects.toMatchObject({ code: "changed-since" });
  expect(await undone(2)).toMatchObject({ change: 3 });
  expect(await published()).toMatchObject({ levels: levels(2) });
  expect(await published()).not.toHaveProperty("mode");
  expect(await undone(1).catch((error) => error.code)).toMatchObject({ change: 4 });
  expect(await log.client.exists(keys.limitOverrides())).toBe(0);
});

it("refuses what does not fit the limit, and a limit that no app has", async () => {
  const attempt = (given: object) => setLimit(log.signed(), { limit: "shop/export", reason, ...given });
  await expect(attempt({ levels: levels(-1) })).rejects.toMatchObject({
    fields: { "levels[0].limit": expect.any(String) },
  });
  await expect(attempt({ levels: [{ limitPerSecond: 1, halfLifeSeconds: 60 }] })).rejects.toMatchObject({
    code: "bad-input",
  });
  await expect(attempt({ mode: "loud" })).rejects.toMatchObject({ fields: { mode: expect.any(String) } });
  await expect(attempt({ limit: "shop/exprt", mode: "off" })).rejects.toMatchObject({
    code: "not-found",
    message: 'No app has a limit "shop/exprt": nodes report shop/export.',
  });
  await expect(attempt({ reason: "\x07" })).rejects.toMatchObject({ code: "bad-input" });
  expect(await log.records()).toEqual([]);
});

it("takes back what is published for a limit that is gone, and shows until then that no node has it", async () => {
  await setLimit(log.signed(), { limit: "shop/export", mode: "off", reason });
  await report("shop", "export", { levels: levels(10) }, 8 * 86_400_000);
  expect(await standing()).toMatchObject({ code: undefined, inForce: undefined, published: { mode: "off" } });
  await setLimit(log.signed(), { limit: "shop/export", levels: null, mode: null, reason });
  expect(await standing()).toBeUndefined();
});

it("ignores what other programs write and is no limit", async () => {
  await log.client.hset(keys.codeLimits(), {
    junk: "{}",
    "shop/a": "no JSON",
    "shop/b": '{"levels":3,"at":1}',
  });
  expect(await readLimits(log.connect(), Date.now())).toHaveLength(1);
  await log.client.del(keys.codeLimits());
  await log.client.set(keys.codeLimits(), "no hash");
  await log.client.set(keys.limitOverrides(), "no hash");
  expect(await readLimits(log.connect(), Date.now())).toEqual([]);
});
