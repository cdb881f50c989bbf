import { setTimeout as pause } from "node:timers/promises";
import { at } from "../../at.ts";
import { formatDuration, parseDuration } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { isAlarmKind } from "../../manage/alarms/kinds.ts";
import type { AlarmWrites } from "../access/alarm-access.ts";
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
  async run({ operands, io, writeAccess }) {
    const access = await writeAccess();
    const { message, destination } = await access.testDestination({ id: at(operands, 0) });
    const sent = await resultOf(access, message, io.appliedWithinMs ?? defaultWaitMs);
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

async function resultOf({ findResult }: AlarmWrites, id: string, withinMs: number) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await findResult(id);
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
  async run({ operands, writeAccess }) {
    const name = at(operands, 0);
    await (await writeAccess()).removeDestination({ id: name });
    return { lines: [`The destination ${name} is removed.`], json: { name, outcome: "removed" } };
  },
};

export const alarmAcknowledge: Command = {
  name: "alarm acknowledge",
  takes: "<incident>",
  operands: { least: 1, most: 1 },
  summary: "Note that an incident was seen: no more updates are sent, only that it got worse, and its end",
  about: ["sluice alarm list shows the IDs of open incidents."],
  options: [],
  examples: ["sluice alarm acknowledge 4f1c2a9b7e30"],
  async run({ operands, writeAccess }) {
    const id = at(operands, 0);
    const { acknowledged } = await (await writeAccess()).acknowledgeIncident({ id });
    const { by, at: moment } = acknowledged;
    return {
      lines: [`The incident ${id} is acknowledged by ${by}, at ${moment}.`],
      json: { id, acknowledged },
    };
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
  async run({ operands, options, writeAccess }) {
    const [name = "", word = ""] = operands;
    const isOn = isOnOf(word);
    const quietMs = quietOf(options);
    const { changeCondition, changeDestination } = await writeAccess();
    if (isAlarmKind(name)) {
      const condition = await changeCondition({ kind: name, isOn, quietMs });
      const quiet = formatDuration(condition.quietMs);
      return {
        lines: [`Alarms of the kind ${name} are ${word}, with a quiet time of ${quiet}.`],
        json: { alarm: name, ...condition },
      };
    }
    if (quietMs !== undefined) throw new DomainError("bad-input", "Only a kind of alarm has a quiet time.");
    const destination = await changeDestination({ id: name, isOn });
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
