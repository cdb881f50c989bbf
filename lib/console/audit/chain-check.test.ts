import { expect, it } from "vitest";
import { recordRefusal } from "../../manage/audit/denied-attempts.ts";
import { seal, testLog } from "../../manage/audit/vitest.log.ts";
import { keys } from "../../redis/keys.ts";
import { type Line, SharedCheck } from "./chain-check.ts";

const log = testLog();

async function write(times: number) {
  for (let i = 0; i < times; i++) await recordRefusal(log.signed(), { action: "x", reason: `${i}` });
}

function watch(check: SharedCheck, redis = log.signed().redis) {
  const lines: Line[] = [];
  let leave = () => {};
  const end = new Promise<Line>((resolve) => {
    leave = check.watch({ redis, seal }, (line, isLast) => {
      lines.push(line);
      if (isLast) resolve(line);
    });
  });
  return { lines, end, leave };
}

it("tells all who watch how far it came, and what it found", async () => {
  await write(120);
  await log.client.xdel(keys.audit(), "7-0");
  const check = new SharedCheck();
  const watchers = [watch(check), watch(check)];
  for (const { lines, end } of watchers) {
    expect(await end).toEqual({ records: 119, problems: ["Record 7 is missing."], problemCount: 1 });
    expect(lines[0]).toEqual({ checked: 50, of: 119, faults: 1 });
  }
  expect(await watch(check).end).toMatchObject({ records: 119 });
});

it("reads the log once for all of them", async () => {
  await write(120);
  const redis = log.signed().redis;
  let pages = 0;
  const counting = new Proxy(redis, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === "multi") pages++;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const check = new SharedCheck();
  await Promise.all([watch(check, counting).end, watch(check, counting).end]);
  expect(pages).toBe(2);
});

it("reports an end that this console has seen and that is gone", async () => {
  await write(7);
  const { redis } = log.signed();
  const found = await new Promise<Line>((resolve) =>
    new SharedCheck().watch({ redis, seal, seen: { n: 9, mac: "of record 9" } }, (line, isLast) => {
      if (isLast) resolve(line);
    }),
  );
  expect(found).toMatchObject({
    records: 7,
    problems: ["Records 8 to 9 are missing at the end: this console has seen record 9."],
  });
});

it("stops without watchers, and begins again for the next one", async () => {
  await write(300);
  const check = new SharedCheck();
  const gone = watch(check);
  gone.leave();
  expect(await watch(check).end).toMatchObject({ records: 300, problemCount: 0 });
  expect(gone.lines).toEqual([]);
});

it("says what went wrong, in words", async () => {
  await log.client.set(keys.audit(), "no stream");
  const redis = log.connect();
  const { end } = watch(new SharedCheck(), redis);
  expect(await end).toEqual({ error: expect.stringMatching(/^The console failed/) });
});
