import { setTimeout as pause } from "node:timers/promises";
import { at } from "../../at.ts";
import { formatDuration, parseDuration } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { testDestination } from "../../manage/alarms/acknowledge.ts";
import { changeDestination, removeDestination } from "../../manage/alarms/change-destination.ts";
import { changeCondition } from "../../manage/alarms/conditions.ts";
import { isAlarmKind } from "../../manage/alarms/kinds.ts";
import { parseMessage, type SentMessage } from "../../manage/alarms/sent-message.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Command } from "../command.ts";
import { exitCode } from "../failure.ts";
import type { GivenOptions } from "../options.ts";

const pollMs = 200;
const defaultWaitMs = 20_000;

export const alarmTest: Command = {
  name: "alarm test",
  takes: "<destination>",
  operands: { least: 1, most: 1 },
  summary: "Send a test message to a destination, and wait for its result",
  about: ["The console that sends alarms sends it, so the test goes the way of every alarm."],
  options: [],
  examples: ["sluice alarm test On-call"],
  async run({ operands, io, writing }) {
    const { context, redis } = await writing();
    const { message, destination } = await testDestination(context, { id: at(operands, 0) });
    const sent = await resultOf(redis, message, io.appliedWithinMs ?? defaultWaitMs);
    const { name } = destination;
    const line = !sent
      ? `No console has sent the test to ${name} yet. It is sent as soon as one runs.`
      : sent.failure === null
        ? `The test arrived at ${name} after ${sent.tookMs} ms.`
        : `The test did not arrive at ${name}: ${sent.failure}.`;
    const isDone = sent?.failure === null;
    return {
      ...(isDone ? { lines: [line] } : { lines: [], complaints: [line] }),
      json: { destination: name, message, result: sent ?? null },
      exit: isDone ? exitCode.done : exitCode.refused,
    };
  },
};

async function resultOf(redis: Connection, id: string, withinMs: number): Promise<SentMessage | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = parseMessage(id, (await redis.hget(keys.alarmMessages(), id)) ?? "");
    if (found || performance.now() > deadline) return found;
    await pause(pollMs);
  }
}

export const alarmRemove: Command = {
  name: "alarm remove",
  takes: "<destination>",
  operands: { least: 1, most: 1 },
  summary: "Send no more alarms to a destination, and forget its URL and keys",
  about: ["Messages that wait for it are dropped."],
  options: [],
  examples: ["sluice alarm remove On-call"],
  async run({ operands, writing }) {
    const name = at(operands, 0);
    const { context } = await writing();
    await removeDestination(context, { id: name });
    return { lines: [`The destination ${name} is removed.`], json: { name, outcome: "removed" } };
  },
};

export const alarmSwitch: Command = {
  name: "alarm switch",
  takes: "<alarm or destination> <on|off>",
  operands: { least: 2, most: 2 },
  summary: "Switch a kind of alarm, or a destination, on or off",
  about: ["With --quiet, the shortest time between two messages about one cause is changed, too: 1m to 1w."],
  options: ["quiet"],
  examples: [
    "sluice alarm switch ban off",
    "sluice alarm switch attack on --quiet 30m",
    "sluice alarm switch On-call off",
  ],
  async run({ operands, options, writing }) {
    const [name = "", word = ""] = operands;
    const isOn = isOnOf(word);
    const quietMs = quietOf(options);
    const { context } = await writing();
    if (isAlarmKind(name)) {
      const condition = await changeCondition(context, { kind: name, isOn, quietMs });
      const quiet = formatDuration(condition.quietMs);
      return {
        lines: [`Alarms of the kind ${name} are ${word}, with a quiet time of ${quiet}.`],
        json: { alarm: name, ...condition },
      };
    }
    if (quietMs !== undefined) throw new DomainError("bad-input", "Only a kind of alarm has a quiet time.");
    const destination = await changeDestination(context, { id: name, isOn });
    return { lines: [`The destination ${destination.name} is ${word}.`], json: destination };
  },
};

function isOnOf(word: string): boolean {
  if (word === "on" || word === "off") return word === "on";
  throw new DomainError("bad-input", "Write on or off.", { state: "on or off" });
}

function quietOf(options: GivenOptions): number | undefined {
  const text = options.text("quiet");
  if (text === undefined) return undefined;
  const parsed = parseDuration(text);
  if (parsed.ok && parsed.value !== null) return parsed.value;
  const problem = parsed.ok ? "a quiet time ends" : parsed.reason;
  throw new DomainError("bad-input", `${problem}.`, { quiet: problem });
}
