import { expect, it } from "vitest";
import { commit } from "../../manage/audit/commit.ts";
import { recordRefusal } from "../../manage/audit/denied-attempts.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { keys } from "../../redis/keys.ts";
import { readAuditEvents } from "./audit-events.ts";

const log = testLog();
const read = (memory?: string) => readAuditEvents(log.signed().redis, memory);

it("begins with the next record, and reads each once", async () => {
  await setMode(log.signed(), { mode: "shadow", reason: "before" });
  const first = await read();
  expect(first.events).toEqual([]);
  await setMode(log.signed(), { mode: "off", reason: "drill" });
  const second = await read(first.memory);
  expect(second.events).toMatchObject([
    { kind: "mode", text: "ada@example.org switched the mode from shadow to off: drill" },
  ]);
  expect((await read(second.memory)).events).toEqual([]);
});

it("names the rule of a ban, and takes other changes of lists for none", async () => {
  const { memory } = await read();
  const entry = (action: string, address: string, by: string) =>
    commit(log.signed({ name: by, via: by }), {
      ...{ action, reason: "10 denials" },
      slots: [{ key: `blocklist:${address}`, target: address }],
      decide: () => ({ writes: [{ slot: 0, to: { value: "x", expiresAt: Date.now() + 3_600_000 } }] }),
    });
  await entry("blocklist.ban", "203.0.113.7", "auto:req/ip/2");
  await entry("blocklist.add", "203.0.113.8", "ada@example.org");
  expect((await read(memory)).events).toMatchObject([
    {
      kind: "ban",
      cause: "ban req/ip/2",
      title: "Rule req/ip/2 bans clients",
      text: expect.stringMatching(/^Rule req\/ip\/2 banned 203\.0\.113\.7/),
    },
  ]);
});

it("counts refused sign-ins of 10 min, and raises nothing for a few", async () => {
  let { memory } = await read();
  const refuse = async (reason: string) => {
    await recordRefusal(log.signed({ name: "unknown" }), { action: "sign-in", reason });
    const found = await read(memory);
    memory = found.memory;
    return found.events.length;
  };
  for (let i = 0; i < 9; i++) expect(await refuse("1 attempt for no known user")).toBe(0);
  expect(await refuse("1 attempt for ada@example.org")).toBe(1);
  expect(
    await refuse(
      "5 failures within 15 min, from any address, for ada: attempts for it take turns, one every 2 s",
    ),
  ).toBe(1);
});

it("goes on where the log was renamed and begins again", async () => {
  await setMode(log.signed(), { mode: "shadow", reason: "" });
  const { memory } = await read();
  await log.client.rename(keys.audit(), "renamed");
  expect((await read(memory)).events).toEqual([]);
});
