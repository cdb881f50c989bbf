import { createHmac } from "node:crypto";
import { once } from "node:events";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { testLog } from "../audit/vitest.log.ts";
import { SecretBox } from "../outbound/secret-box.ts";
import { acknowledgeIncident, sendAgain, testDestination } from "./acknowledge.ts";
import {
  type AlarmContext,
  addDestination,
  changeDestination,
  removeDestination,
} from "./change-destination.ts";
import { changeCondition } from "./conditions.ts";
import type { Happening } from "./happening.ts";
import { AlarmKeeper, type AlarmKeeperOptions, type Observed } from "./keeper.ts";
import { alarmKinds } from "./kinds.ts";
import { postAlarm } from "./post-alarm.ts";
import { readAlarmHistory, readAlarms } from "./store.ts";
import { type Receiver, startReceiver } from "./vitest.receiver.ts";

const log = testLog();
const secrets = new SecretBox("a secret that Redis never sees", {
  key: "sluice alarms",
  names: "URLs of alarms",
});
let receiver: Receiver;
const keepers: AlarmKeeper[] = [];
/** Ms of Redis' clock, which the test moves. */
let now = 0;

beforeAll(() => {
  now = Date.now();
});
beforeEach(async () => {
  receiver = await startReceiver();
  return async () => {
    await receiver.stop();
    await Promise.all(keepers.splice(0).map((keeper) => keeper.sent()));
  };
});
const ctx = (): AlarmContext => ({ ...log.signed(), secrets, allowsPrivate: true, hasMail: false });
const none: Observed = { states: [], readKinds: alarmKinds, ends: new Map(), events: [], memory: new Map() };
const attack: Happening = {
  ...{ kind: "attack", cause: "attack shop", title: "Attack on shop", path: "/offenders" },
  ...{ text: "Denials rose from 0.1 to 24 per s", at: 0 },
};

function keeperOn(observed: () => Observed, more: Partial<AlarmKeeperOptions> = {}): AlarmKeeper {
  const keeper = new AlarmKeeper({
    ...{ redis: log.connect(), secrets, log: () => {}, publicUrl: "https://sluice.example.org" },
    observe: async () => observed(),
    clock: async () => now,
    send: (destination, secret, message) => postAlarm(destination, secret, message, { allowsPrivate: true }),
    ...more,
  });
  keepers.push(keeper);
  return keeper;
}

/** A pass, with everything that it sends. */
async function pass(keeper: AlarmKeeper, afterMs = 1_000): Promise<void> {
  now += afterMs;
  expect(await keeper.once()).toBe(true);
  await keeper.sent();
}

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
const webhook = () =>
  addDestination(ctx(), { name: "On-call", kind: "webhook", to: receiver.url("/hook"), alarms: alarmKinds });

it("sends one message at the begin of an incident and one at its end, signed", async () => {
  const { signingKey } = await webhook();
  let observed: Observed = none;
  const keeper = keeperOn(() => observed);
  await pass(keeper);
  observed = { ...none, states: [{ ...attack, at: now }] };
  for (let i = 0; i < 20; i++) await pass(keeper, 60_000);
  observed = { ...none, ends: new Map([["attack shop", "Ended: under 1 denial per s for 5 min"]]) };
  for (let i = 0; i < 20; i++) await pass(keeper, 60_000);
  expect(bodies()).toMatchObject([
    {
      event: "opened",
      attempt: 1,
      isRepeat: false,
      incident: { title: "Attack on shop", state: "open", url: "https://sluice.example.org/offenders" },
    },
    {
      event: "ended",
      incident: { state: "ended", lines: [{}, { text: "Ended: under 1 denial per s for 5 min" }] },
    },
  ]);
  expect(new Set(bodies().map(({ id }) => id)).size).toBe(2);
  for (const { headers, body } of receiver.received) {
    const digest = createHmac("sha256", signingKey ?? "")
      .update(`${headers["x-sluice-timestamp"]}.${body}`)
      .digest("hex");
    expect(headers["x-sluice-signature"]).toBe(`v1=${digest}`);
    expect(headers["x-sluice-delivery"]).toBe(JSON.parse(body).id);
  }
  const { messages, ended } = await readAlarmHistory(log.connect());
  expect([messages.length, ended.length]).toEqual([2, 1]);
  const { deliveries, incidents } = await readAlarms(log.connect());
  expect([deliveries, incidents]).toEqual([[], []]);
});

it("groups what happens of one cause into one message for a quiet time", async () => {
  await webhook();
  let events: Happening[] = [];
  const keeper = keeperOn(() => ({ ...none, events: events.splice(0) }));
  const ban = (client: string): Happening => ({
    ...{ kind: "ban", cause: "ban req/ip/2", title: "Rule req/ip/2 bans clients", path: "/blocklist" },
    ...{ text: `${client} for 1 h`, at: now },
  });
  for (let i = 0; i < 100; i++) {
    events = [ban(`203.0.113.${i}`)];
    await pass(keeper, 10_000);
  }
  expect(bodies().map(({ event }) => event)).toEqual(["opened"]);
  await pass(keeper, 30 * 60_000);
  expect(bodies()).toMatchObject([
    { event: "opened" },
    { event: "updated", incident: { linesLeftOut: 88, lines: expect.objectContaining({ length: 12 }) } },
  ]);
  for (let i = 0; i < 5; i++) await pass(keeper, 30 * 60_000);
  expect(bodies().length).toBe(2);
  expect((await readAlarmHistory(log.connect())).ended).toMatchObject([{ endedAt: expect.any(Number) }]);
});

it("sends no second message for a state that comes and goes within its quiet time, but says that it got worse", async () => {
  await webhook();
  let states: Happening[] = [];
  const keeper = keeperOn(() => ({ ...none, states }));
  const near = (grade: number): Happening => ({
    ...{
      kind: "customer",
      cause: "customer 1042",
      title: `Customer 1042 at ${grade}`,
      path: "/customers/1042",
    },
    ...{ text: `${grade}`, at: now, grade },
  });
  for (const grade of [1, 0, 1, 0, 1, 2, 0, 2]) {
    states = grade > 0 ? [near(grade)] : [];
    await pass(keeper, 60_000);
  }
  expect(bodies().map(({ event, incident }) => [event, incident.title])).toEqual([
    ["opened", "Customer 1042 at 1"],
    ["updated", "Customer 1042 at 2"],
  ]);
});

it("says at once that an attack is back of which the end was said, however long the quiet time is", async () => {
  await webhook();
  await changeCondition(ctx(), { kind: "attack", quietMs: 24 * 3_600_000 });
  let observed: Observed = none;
  const keeper = keeperOn(() => observed);
  for (const isOn of [true, false, true, true, false, false]) {
    observed = isOn ? { ...none, states: [{ ...attack, at: now }] } : none;
    await pass(keeper, 6 * 60_000);
  }
  expect(bodies().map(({ event, incident }) => [event, incident.state])).toEqual([
    ["opened", "open"],
    ["ended", "ended"],
    ["updated", "open"],
    ["ended", "ended"],
  ]);
});

it("sends nothing of a kind that is switched off, nor to a destination that is, nor updates of what was acknowledged", async () => {
  const { destination } = await webhook();
  let events: Happening[] = [];
  const keeper = keeperOn(() => ({ ...none, events: events.splice(0) }));
  const event = (kind: "mode" | "policy"): Happening => ({
    ...{ kind, cause: kind, title: kind, text: "changed", path: "/policy", at: now },
  });
  await changeCondition(ctx(), { kind: "mode", isOn: false });
  events = [event("mode")];
  await pass(keeper);
  await changeDestination(ctx(), { id: destination.id, isOn: false });
  events = [event("policy")];
  await pass(keeper);
  expect(bodies()).toEqual([]);
  await changeDestination(ctx(), { id: destination.id, isOn: true, alarms: ["policy"] });
  const [open] = (await readAlarms(log.connect())).incidents;
  await acknowledgeIncident(ctx(), { id: open?.id ?? "" });
  events = [event("policy")];
  await pass(keeper, 20 * 60_000);
  await pass(keeper, 20 * 60_000);
  expect(bodies()).toEqual([]);
  expect((await log.records()).map(({ action }) => action)).toEqual([
    ...["alarm.add", "alarm.condition", "alarm.change", "alarm.change", "alarm.acknowledge"],
  ]);
});

// A proxy before the receiver may answer 404 for it.
it.each([503, 404])("loses nothing while a receiver is down (%i), and keeps the order", async (status) => {
  await webhook();
  let observed: Observed = { ...none, states: [{ ...attack, at: now }] };
  const keeper = keeperOn(() => observed);
  receiver.answer(() => status);
  for (let i = 0; i < 30; i++) await pass(keeper);
  observed = none;
  for (let i = 0; i < 30; i++) await pass(keeper);
  const failed = receiver.received.length;
  // Fewer and fewer tries, and no message of the end before that of the begin.
  expect(failed).toBeLessThan(8);
  expect(new Set(bodies().map(({ event }) => event))).toEqual(new Set(["opened"]));
  receiver.answer(() => 200);
  for (let i = 0; i < 90; i++) await pass(keeper);
  expect(
    bodies()
      .slice(failed)
      .map(({ event }) => event),
  ).toEqual(["opened", "ended"]);
});

it("calls the others while a receiver does not answer, however many messages wait for it", async () => {
  await webhook();
  await addDestination(ctx(), { name: "Silent", kind: "webhook", to: receiver.url("/"), alarms: alarmKinds });
  const called: string[] = [];
  let events: Happening[] = [];
  const gaveUp = new AbortController();
  const keeper = keeperOn(() => ({ ...none, events: events.splice(0) }), {
    async send({ name }, _, { delivery }) {
      if (name !== "Silent") called.push(delivery.incident.title);
      else if (!gaveUp.signal.aborted) await once(gaveUp.signal, "abort");
      return { is: "arrived" };
    },
  });
  const event = (title: string): Happening => ({
    ...{ kind: "ban", cause: title, title, text: "", path: "/blocklist", at: now },
  });
  events = Array.from({ length: 100 }, (_, i) => event(`Ban ${i}`));
  await eventually(async () => {
    now += 1_000;
    expect(await keeper.once()).toBe(true);
    expect(called).toHaveLength(100);
  });
  events = [event("Attack on shop")];
  expect(await keeper.once()).toBe(true);
  await eventually(() => expect(called).toContain("Attack on shop"));
  gaveUp.abort();
});

it("gives up a message that the receiver refuses, shows it, and sends it again when a person wants it", async () => {
  await webhook();
  const keeper = keeperOn(() => ({ ...none, states: [{ ...attack, at: now }] }));
  receiver.answer(() => 404);
  for (let i = 0; i < 60; i++) await pass(keeper, 5_000);
  expect(receiver.received.length).toBe(7);
  const { deliveries } = await readAlarms(log.connect());
  const { messages } = await readAlarmHistory(log.connect());
  expect(deliveries).toMatchObject([{ isDead: true, failure: "HTTP 404", tries: 7 }]);
  expect(messages).toMatchObject([{ failure: "HTTP 404" }]);
  receiver.answer(() => 200);
  await sendAgain(ctx(), { id: deliveries[0]?.id ?? "" });
  await pass(keeper);
  const after = await readAlarms(log.connect());
  const [last] = (await readAlarmHistory(log.connect())).messages;
  expect([receiver.received.length, after.deliveries, last?.failure]).toEqual([8, [], null]);
});

it("goes on with the same incidents in another process; what was being sent is sent again as a repeat", async () => {
  await webhook();
  const observed = { ...none, states: [{ ...attack, at: now }] };
  receiver.answer(() => "hang");
  const killed = keeperOn(() => observed, { leaseMs: 60_000 });
  now += 1_000;
  expect(await killed.once()).toBe(true);
  await eventually(() => expect(receiver.received.length).toBe(1));
  // From here on it does nothing: its request hangs, no further pass begins, and its lease runs out.
  receiver.answer(() => 200);
  const heir = keeperOn(() => observed);
  expect(await heir.once()).toBe(false);
  await log.client.del(keys.lease("alarms"));
  expect(await heir.once()).toBe(true);
  await heir.sent();
  const [first, second, ...others] = bodies();
  expect([first.isRepeat, second.isRepeat, others]).toEqual([false, true, []]);
  expect([second.id, second.incident.id]).toEqual([first.id, first.incident.id]);
  for (let i = 0; i < 5; i++) await pass(heir, 60_000);
  expect(receiver.received.length).toBe(2);
  expect((await readAlarms(log.connect())).incidents.length).toBe(1);
});

it("sends each message once, or says that it is a repeat, wherever its process is killed", async () => {
  const phases = [
    () => none,
    () => ({ ...none, states: [{ ...attack, at: now }] }),
    () => ({ ...none, ends: new Map([["attack shop", "Denials are low again"]]) }),
  ];
  const found = () => phases[phase]?.() ?? none;
  let phase = 0;
  let repeats = 0;
  let isKilled = true;
  for (let lastCommand = 1; isKilled; lastCommand++) {
    await log.client.flushall();
    await webhook();
    receiver.received.length = 0;
    const mortal = mortalConnection(lastCommand);
    const keeper = keeperOn(found, { redis: mortal.redis });
    const life = (async () => {
      for (phase = 0; phase < phases.length; phase++) {
        now += 1_000;
        await keeper.once();
        await keeper.sent();
      }
    })();
    isKilled = await Promise.race([life.then(() => false), mortal.death.then(() => true)]);
    // Its promises never settle.
    keepers.splice(keepers.indexOf(keeper), 1);
    await log.client.del(keys.lease("alarms"));
    const heir = keeperOn(found);
    for (phase = Math.min(phase, 2); phase < phases.length; phase++)
      for (let i = 0; i < 3; i++) await pass(heir, 10_000);
    const sent = bodies();
    const events = new Map(sent.map(({ id, event }) => [id, event]));
    expect([lastCommand, ...events.values()]).toEqual([lastCommand, "opened", "ended"]);
    for (const [i, { id, isRepeat }] of sent.entries()) {
      const isFirst = sent.findIndex((one) => one.id === id) === i;
      if (!isFirst) expect([lastCommand, isRepeat]).toEqual([lastCommand, true]);
      repeats += isFirst ? 0 : 1;
    }
  }
  // Between a message and the note of its result.
  expect(repeats).toBeGreaterThanOrEqual(2);
});

/** The connection of a process that is killed when it sends its nth command: the command and all later ones are lost. */
function mortalConnection(lastCommand: number) {
  const redis = log.connect();
  const killed = new AbortController();
  const death = once(killed.signal, "abort");
  const send = redis.sendCommand.bind(redis);
  let commands = 0;
  redis.sendCommand = (...given) => {
    if (++commands < lastCommand) return send(...given);
    killed.abort();
    return new Promise(() => {});
  };
  return { redis, death };
}

it("says that Redis does not answer while it does not, and once that it answers again", async () => {
  await webhook();
  let local = 0;
  const redis = log.connect();
  const keeper = keeperOn(() => none, { redis, localClock: () => local });
  await pass(keeper);
  redis.disconnect();
  for (let i = 0; i < 10; i++) {
    local += 1_000;
    expect(await keeper.once()).toBe(false);
  }
  expect(bodies()).toMatchObject([{ event: "opened", incident: { title: "Redis does not answer" } }]);
  await redis.connect();
  now += 10_000;
  await eventually(async () => expect(await keeper.once()).toBe(true));
  await keeper.sent();
  expect(bodies()).toMatchObject([
    { event: "opened" },
    { event: "ended", incident: { lines: [{}, { text: "Redis answers again after 9 s" }] } },
  ]);
  expect(bodies()[1].incident.id).toBe(bodies()[0].incident.id);
});

it.each([
  {
    by: "accepts no writes",
    async refuse() {
      await log.client.config("SET", "maxmemory", "1");
      return () => log.client.config("SET", "maxmemory", "0");
    },
    says: "Redis answers OOM to writes, so nothing can be changed.",
    end: "Redis accepts writes again after 9 s",
  },
  {
    by: "refuses what alarms need",
    async refuse() {
      await log.client.rename(keys.alarmDestinations(), "kept");
      await log.client.set(keys.alarmDestinations(), "of another program");
      return () => log.client.rename("kept", keys.alarmDestinations());
    },
    says: "Redis answers WRONGTYPE.",
    end: "Alarms work again after 9 s",
  },
])(
  "says that Redis $by while it does, and not that it does not answer",
  async ({ by, refuse, says, end }) => {
    await webhook();
    let local = 0;
    const keeper = keeperOn(() => none, { localClock: () => local });
    await pass(keeper);
    const allow = await refuse();
    try {
      for (let i = 0; i < 10; i++) {
        local += 1_000;
        expect(await keeper.once()).toBe(false);
      }
      expect(bodies()).toMatchObject([{ event: "opened", incident: { title: `Redis ${by}` } }]);
      expect(bodies()[0].incident.lines[0].text).toContain(says);
    } finally {
      await allow();
    }
    await pass(keeper);
    expect(bodies()).toMatchObject([
      { event: "opened" },
      { event: "ended", incident: { lines: [{}, { text: end }] } },
    ]);
    expect((await readAlarmHistory(log.connect())).messages).toHaveLength(2);
  },
);

it("sends a test once, and tells why it failed", async () => {
  const { destination } = await webhook();
  const keeper = keeperOn(() => none);
  receiver.answer(() => 500);
  const { message } = await testDestination(ctx(), { id: "on-call" });
  await pass(keeper);
  const { messages } = await readAlarmHistory(log.connect());
  expect(messages).toMatchObject([
    { id: message, destination: destination.id, event: "test", failure: "HTTP 500", tries: 1 },
  ]);
});

it("keeps URLs and keys encrypted, and forgets them with the destination", async () => {
  const { signingKey } = await webhook();
  const dump = JSON.stringify([
    await log.client.hgetall(keys.alarmDestinations()),
    await log.client.hgetall(keys.alarmSecrets()),
    await log.records(),
  ]);
  expect(dump).not.toContain(signingKey);
  await removeDestination(ctx(), { id: "On-call" });
  expect(await log.client.exists(keys.alarmDestinations(), keys.alarmSecrets())).toBe(0);
});
