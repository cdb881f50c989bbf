import { expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { type Ip, parseIp } from "../ip/parse.ts";
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

it("begins anew when the minute is over", async () => {
  const written: string[] = [];
  const refused = new RefusedSignIns(async (_, reason) => void written.push(reason), { everyMs: 1 });
  await refused.note({ address, account: undefined });
  await refused.note({ address, account: undefined });
  await expect.poll(() => written).toEqual(["1 attempt for no known user", "1 more for no known user"]);
  await refused.note({ address, account: undefined });
  expect(written).toHaveLength(3);
});

it("tells a botnet in a record for twenty addresses each, and one for all others", async () => {
  const refused = ledger();
  for (let i = 0; i < 200; i++)
    for (let n = 0; n < 3; n++)
      await refused.note({ address: ip(`203.0.113.${i}`), account: "ops@example.org" });
  await refused.flush();
  const records = await log.records();
  expect(records).toHaveLength(41);
  expect(records.at(-1)?.reason).toBe("540 from 180 other addresses, for ops@example.org");
  const told = records.map(({ reason }) => Number(reason.split(" ")[0]));
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(600);
});

it("takes the addresses of a /64 for one", async () => {
  const refused = ledger();
  for (let i = 1; i < 100; i++) await refused.note({ address: ip(`2001:db8::${i}`), account: undefined });
  expect(await log.records()).toHaveLength(1);
});

it("says so in the log when nothing can be recorded, and fails nobody", async () => {
  const { redis, seal } = log.signed();
  const said: string[] = [];
  await log.client.set("sluice:audit", "no stream");
  await refusedSignIns({ redis, seal }, (line) => said.push(line)).note({ address, account: undefined });
  expect(said).toEqual([expect.stringContaining("203.0.113.9, 1 attempt for no known user")]);
});
