import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { alarmSecrets } from "../../manage/alarms/alarm-secrets.ts";
import type { Incident } from "../../manage/alarms/incident.ts";
import { AlarmKeeper } from "../../manage/alarms/keeper.ts";
import { postAlarm } from "../../manage/alarms/post-alarm.ts";
import { type Receiver, startReceiver } from "../../manage/alarms/vitest.receiver.ts";
import type { UserRequest } from "../../manage/requests/user-request.ts";
import { keys } from "../../redis/keys.ts";
import { testOverApi } from "./vitest.over-api.ts";

vi.mock("next/headers", () => ({}));
vi.mock("next/navigation", () => ({}));

let receiver: Receiver;
beforeAll(async () => {
  vi.stubEnv("SLUICE_ALARMS_TO_PRIVATE", "1");
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const test = testOverApi();
const { api, sluice } = test;
const secretOfConsole = "a secret that Redis never sees";

const incident: Incident = {
  ...{ id: "4f1c2a9b7e30", kind: "attack", cause: "attack shop", title: "Attack on shop", path: "/denials" },
  ...{ lines: [{ at: 1_800_000_000_000, text: "Denials rose." }], leftOut: 0, grade: 1, isOfEvents: false },
  ...{ openedAt: 1_800_000_000_000, changedAt: 1_800_000_000_000, endedAt: null, hasNews: false },
  ...{ quietUntil: 0, said: "opened" },
};

it("adds a webhook and shows its key once, lists, switches and removes it", async () => {
  const url = receiver.url("/hook");
  const added = await sluice(["alarm", "add", "On-call", "webhook", "-", "--alarm", "attack"], {
    stdin: url,
  });
  const [key = ""] = /whs_[\w-]{43}/.exec(added.stdout) ?? [];
  expect([added.exit, key.length]).toEqual([0, 47]);
  const { stdout } = await sluice("alarm list");
  expect(stdout).toMatch(/On-call +webhook +http:\S+\/hook +on +attack +nothing yet/);
  expect(stdout).not.toContain(key);
  expect((await sluice("alarm switch on-call off")).stdout).toBe("The destination On-call is off.\n");
  expect((await sluice("alarm switch attack off --quiet 30m")).stdout).toBe(
    "Alarms of the kind attack are off, with a quiet time of 30m.\n",
  );
  expect((await sluice("alarm list")).stdout).toMatch(/attack +off +30m/);
  expect((await sluice("alarm remove On-call")).stdout).toContain("is removed");
  expect((await sluice("alarm remove On-call")).stderr).toContain("There is no destination");
});

it("sends a test, and says what became of it", async () => {
  await sluice(["alarm", "add", "On-call", "webhook", receiver.url("/hook")]);
  const none = await sluice("alarm test On-call");
  expect([none.exit, none.stderr]).toEqual([1, expect.stringContaining("No console has sent the test")]);
  await api.log.client.del(keys.alarmDeliveries());
  const keeper = new AlarmKeeper({
    ...{ redis: api.log.signed().redis, secrets: alarmSecrets(secretOfConsole), everyMs: 20 },
    send: (destination, given, message) => postAlarm(destination, given, message, { allowsPrivate: true }),
    observe: async () => ({ states: [], readKinds: [], ends: new Map(), events: [], memory: new Map() }),
  });
  const running = keeper.run();
  try {
    expect(await sluice("alarm test On-call", { appliedWithinMs: 20_000 })).toMatchObject({
      ...{ exit: 0, stdout: expect.stringMatching(/^The test arrived at On-call after \d+ ms\.\n$/) },
    });
  } finally {
    keeper.stop();
    await running;
  }
});

it("lists an open incident and acknowledges it", async () => {
  await api.log.client.hset(keys.alarmIncidents(), incident.id, JSON.stringify(incident));
  expect((await sluice("alarm list")).stdout).toMatch(
    /^Open incidents: 1\n {2}2027-01-15.* {2}4f1c2a9b7e30 {2}Attack on shop\n/,
  );
  const seen = await sluice(`alarm acknowledge ${incident.id}`);
  expect(seen.stdout).toMatch(/^The incident 4f1c2a9b7e30 is acknowledged by token:deploy, at /);
  expect((await sluice("alarm acknowledge none")).stderr).toContain("There is no such incident any more.");
});

it("asks staff for a block, and confirms or declines what was asked", async () => {
  const ask = (target: string) =>
    sluice(["request", "ask", "block", target, "--ttl", "24h", "--reason", "SEC-2291"]);
  const made = await ask("203.0.113.9");
  const [, id = ""] =
    /^Staff are asked to block 203\.0\.113\.9\. The request is (\w+)\.\n$/.exec(made.stdout) ?? [];
  expect(await api.log.client.exists("blocklist:203.0.113.9")).toBe(0);
  expect((await sluice("request list")).stdout).toMatch(
    new RegExp(`${id} +block 203\\.0\\.113\\.9 +1d +token:deploy \\(token\\) .* open +SEC-2291`),
  );
  expect((await sluice(`request confirm ${id} --reason thanks`)).stdout).toContain(
    "The request of token:deploy to block 203.0.113.9 is confirmed.",
  );
  const ttl = await api.log.client.pttl("blocklist:203.0.113.9");
  expect([ttl > 0, ttl <= 86_400_000]).toEqual([true, true]);
  expect((await sluice(`request decline ${id}`)).stderr).toContain("has confirmed this request already");
  const other = JSON.parse((await sluice("request ask change acme --reason tier --json")).stdout);
  expect((await sluice(`request decline ${other.id}`)).stdout).toContain("to change acme is declined.");
  expect((await ask("127.0.0.1")).exit).toBe(0);
  const listed: UserRequest[] = JSON.parse((await sluice("request list --json")).stdout);
  const own = listed.find(({ target }) => target === "127.0.0.1");
  expect((await sluice(`request confirm ${own?.id}`)).stderr).toContain("127.0.0.1");
  expect((await sluice("request ask fly 203.0.113.9 --reason x")).stderr).toContain("write one of block");
});
