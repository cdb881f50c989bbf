import { expect, it } from "vitest";
import { type Ip, parseIp } from "../../ip/parse.ts";
import { testLog } from "../audit/vitest.log.ts";
import { RefusedSignIns, refusedSignIns } from "./refused-sign-ins.ts";

const log = testLog();

const ip = (text: string): Ip => {
  const parsed = parseIp(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
};
const address = ip("203.0.113.9");

const ledger = () => {
  const { redis, seal } = log.signed();
  return refusedSignIns({ redis, seal }, () => {});
};

it("puts the first of an address on record at once, and a burst in one record more", async () => {
  const refused = ledger();
  for (let i = 0; i < 3_000; i++)
    await refused.note({ address, account: i % 2 === 0 ? "ops@example.org" : undefined });
  expect(await log.records()).toHaveLength(1);
  await refused.flush();
  expect(await log.records()).toMatchObject([
    {
      action: "refused:sign-in",
      actor: "unknown",
      address,
      reason: "1 attempt for ops@example.org",
      changes: [],
    },
    { action: "refused:sign-in", address, reason: "2999 more for ops@example.org" },
  ]);
  await log.expectSoundChain(2);
});

it("begins again when the minute is over", async () => {
  const written: string[] = [];
  const refused = new RefusedSignIns(async (_, reason) => void written.push(reason), { everyMs: 1 });
  await refused.note({ address, account: undefined });
  await refused.note({ address, account: undefined });
  await expect.poll(() => written).toEqual(["1 attempt for no known user", "1 more for no known user"]);
  await refused.note({ address, account: undefined });
  expect(written).toHaveLength(3);
});

it("tells a botnet in one record each of twenty addresses, and one for all others", async () => {
  const refused = ledger();
  for (let i = 0; i < 200; i++)
    for (let n = 0; n < 3; n++)
      await refused.note({ address: ip(`203.0.113.${i}`), account: "ops@example.org" });
  await refused.flush();
  const records = await log.records();
  expect(records).toHaveLength(21);
  const where =
    "200 addresses (203.0.113.20, 203.0.113.21, 203.0.113.22, 203.0.113.23, 203.0.113.24 and others)";
  expect(records.at(-1)?.reason).toBe(`580 more from ${where}, for ops@example.org`);
  const counts = records.map(({ reason }) => Number(reason.split(" ")[0]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(600);
});

it("takes the addresses of a /64 for one", async () => {
  const refused = ledger();
  for (let i = 1; i < 100; i++) await refused.note({ address: ip(`2001:db8::${i}`), account: undefined });
  expect(await log.records()).toHaveLength(1);
});

it("logs when nothing can be recorded, and does not fail the request", async () => {
  const { redis, seal } = log.signed();
  const said: string[] = [];
  await log.client.set("sluice:audit", "no stream");
  await refusedSignIns({ redis, seal }, (line) => said.push(line)).note({ address, account: undefined });
  expect(said).toEqual([expect.stringContaining("203.0.113.9, 1 attempt for no known user")]);
});

it("writes some 400 records a day at most, however long a botnet goes on", async () => {
  let now = 0;
  const written: string[] = [];
  const write = async (_: Ip | undefined, reason: string) => void written.push(reason);
  const refused = new RefusedSignIns(write, { clock: () => now, everyMs: 60_000 });
  // A summary at most a minute after the first of a quiet time, later every quarter of an hour.
  const summaries = [60, 120, 240, 480, ...Array.from({ length: 95 }, () => 900)];
  for (const seconds of summaries) {
    for (let i = 0; i < 100; i++)
      await refused.note({ address: ip(`198.51.${i}.${seconds % 256}`), account: undefined });
    now += seconds * 1_000;
    await refused.flush();
  }
  expect(now).toBeGreaterThan(86_000_000);
  const counted = written.reduce((sum, reason) => sum + Number(reason.split(" ")[0]), 0);
  expect(counted).toBe(100 * summaries.length);
  expect(written.length).toBeGreaterThan(summaries.length);
  expect(written.length).toBeLessThan(420);
});

it("waits longer for each summary while refusals go on, and the first wait again after a quiet time", async () => {
  const waits: number[] = [];
  const refused = new RefusedSignIns(async () => {}, { onWait: (ms) => waits.push(ms) });
  const burst = async () => {
    for (let i = 0; i < 2; i++) await refused.note({ address, account: undefined });
  };
  for (let i = 0; i < 6; i++) {
    await burst();
    await refused.flush();
  }
  await refused.note({ address, account: undefined });
  await refused.flush();
  await burst();
  await refused.flush();
  expect(waits.map((ms) => ms / 60_000)).toEqual([1, 2, 4, 8, 15, 15, 15, 1]);
});

it("puts on record that an account is slowed down", async () => {
  await ledger().noteSlowdown("ops@example.org");
  const reason =
    "50 failures within 60 min, from any address, for ops@example.org: attempts for it take turns, one every 2 s";
  expect(await log.records()).toMatchObject([{ action: "refused:sign-in", actor: "unknown", reason }]);
});

it("puts an attack on every account on record in as few records as one on a single account", async () => {
  const refused = ledger();
  for (let i = 0; i < 1_000; i++) await refused.noteSlowdown(`user-${i}@example.org`);
  expect(await log.records()).toHaveLength(20);
  await refused.flush();
  await refused.flush();
  const records = await log.records();
  expect(records).toHaveLength(21);
  const named = [20, 21, 22, 23, 24].map((i) => `user-${i}@example.org`).join(", ");
  expect(records.at(-1)?.reason).toBe(`980 more accounts are slowed down: ${named} and others`);
  await refused.noteSlowdown("user-1@example.org");
  await refused.note({ address, account: undefined });
  await refused.flush();
  expect((await log.records()).at(-1)?.reason).toBe(
    "1 more for no known user; 1 more account is slowed down: user-1@example.org",
  );
});

it("writes less than 1,000 records a day, even for an attack that rests to be recorded more often", async () => {
  let now = 0;
  let waitMs = 0;
  const written: string[] = [];
  const refused = new RefusedSignIns(async (_, reason) => void written.push(reason), {
    clock: () => now,
    onWait: (ms) => {
      waitMs = ms;
    },
  });
  for (let restedAt = 0, n = 0; now < 86_400_000; n++) {
    // As soon as one may be recorded alone: that one, and then none until the summary, which brings the short wait back.
    const isRest = now - restedAt >= 300_000;
    if (isRest) restedAt = now;
    for (let i = 0; i < (isRest ? 1 : 100); i++)
      await refused.note({ address: ip(`198.51.${i}.${n % 256}`), account: undefined });
    now += waitMs;
    await refused.flush();
  }
  expect(written.length).toBeGreaterThan(400);
  expect(written.length).toBeLessThan(1_000);
});
