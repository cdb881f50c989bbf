import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { alarmSecrets } from "../../manage/alarms/alarm-secrets.ts";
import { AlarmKeeper } from "../../manage/alarms/keeper.ts";
import { postAlarm } from "../../manage/alarms/post-alarm.ts";
import { type Receiver, startReceiver } from "../../manage/alarms/vitest.receiver.ts";
import { connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run, secret } from "../testing.ts";

let server: TestRedis;
let receiver: Receiver;

beforeAll(async () => {
  [server, receiver] = await Promise.all([startRedis(), startReceiver()]);
});

afterAll(async () => {
  await receiver.stop();
  await server.stop();
});

beforeEach(async () => {
  await server.client.flushall();
});

const sluice = (words: readonly string[], stdin = "", appliedWithinMs?: number) =>
  run(words, {
    ...{ redisUrl: server.url, stdin, environment: { alarmsToPrivate: true } },
    ...(appliedWithinMs !== undefined && { appliedWithinMs }),
  });

it("adds a webhook and shows its key once, lists, switches and removes it", async () => {
  const added = await sluice([
    "alarm",
    "add",
    "On-call",
    "webhook",
    receiver.url("/hook"),
    "--alarm",
    "attack",
  ]);
  const [key = ""] = /whs_[\w-]{43}/.exec(added.stdout) ?? [];
  expect([added.exit, key.length]).toEqual([0, 47]);
  const { stdout } = await sluice(["alarm", "list"]);
  expect(stdout).toMatch(/On-call +webhook +http:\S+\/hook +on +attack +nothing yet/);
  expect(stdout).not.toContain(key);
  expect((await sluice(["alarm", "switch", "on-call", "off"])).stdout).toBe(
    "The destination On-call is off.\n",
  );
  expect((await sluice(["alarm", "switch", "attack", "off", "--quiet", "30m"])).stdout).toBe(
    "Alarms of the kind attack are off, with a quiet time of 30m.\n",
  );
  const { destinations, conditions } = JSON.parse((await sluice(["alarm", "list", "--json"])).stdout);
  expect([destinations[0].isOn, conditions.attack]).toEqual([false, { isOn: false, quietMs: 1_800_000 }]);
  expect((await sluice(["alarm", "remove", "On-call"])).exit).toBe(0);
  expect((await sluice(["alarm", "list"])).stdout).toContain("No destinations");
});

it("reads the URL from standard input, with the token of ntfy", async () => {
  const added = await sluice(
    ["alarm", "add", "Phone", "ntfy", "-"],
    `${receiver.url("/topic")}\ntk_secret\n`,
  );
  expect([added.exit, added.stdout.includes("tk_secret")]).toEqual([0, false]);
});

it("waits for the result of a test, and says where no console runs", async () => {
  await sluice(["alarm", "add", "On-call", "webhook", receiver.url("/hook")]);
  const none = await sluice(["alarm", "test", "On-call"], "", 0);
  expect([none.exit, none.stderr]).toEqual([1, expect.stringContaining("No console has sent the test")]);
  await server.client.del(keys.alarmDeliveries());
  const redis = connectControl(server.url, "patiently");
  const keeper = new AlarmKeeper({
    ...{ redis, secrets: alarmSecrets(secret), everyMs: 20 },
    send: (destination, given, message) => postAlarm(destination, given, message, { allowsPrivate: true }),
    observe: async () => ({ states: [], readKinds: [], ends: new Map(), events: [], memory: new Map() }),
  });
  const running = keeper.run();
  try {
    expect(await sluice(["alarm", "test", "On-call"])).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^The test arrived at On-call after \d+ ms\.\n$/),
    });
    receiver.answer(() => 502);
    expect(await sluice(["alarm", "test", "On-call"])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("HTTP 502"),
    });
  } finally {
    keeper.stop();
    await running;
    redis.disconnect();
  }
});

it.each([
  [["alarm", "add", "x", "pager", "https://events.example.com/"]],
  [["alarm", "add", "x", "webhook", "ftp://events.example.com/"]],
  [["alarm", "add", "x", "webhook", "https://events.example.com/", "--alarm", "atack"]],
  [["alarm", "switch", "nobody", "off"]],
  [["alarm", "switch", "attack", "maybe"]],
  [["alarm", "switch", "attack", "on", "--quiet", "1s"]],
  [["alarm", "test", "nobody"]],
  [["alarm", "remove", "nobody"]],
])("refuses %j, and writes nothing", async (words) => {
  const { exit, stderr } = await sluice(words);
  expect([exit, stderr.length > 0]).toEqual([1, true]);
  expect(await server.client.exists(keys.audit())).toBe(0);
});
