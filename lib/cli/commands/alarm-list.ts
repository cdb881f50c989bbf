import { formatDuration } from "../../enforce/lists/entry.ts";
import { alarmKinds } from "../../manage/alarms/kinds.ts";
import {
  type AlarmHistory,
  readAlarmHistory,
  readAlarms,
  type StoredAlarms,
} from "../../manage/alarms/store.ts";
import type { Command } from "../command.ts";
import { moment } from "../moment.ts";
import { columns, printable } from "../terminal.ts";

export const alarmList: Command = {
  name: "alarm list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show open incidents, destinations of alarms, and which alarms are on",
  about: ["URLs, signing keys and tokens are kept encrypted and never shown."],
  options: [],
  examples: ["sluice alarm list", "sluice alarm list --json"],
  async run({ reading }) {
    const { redis } = await reading();
    const [stored, history] = await Promise.all([readAlarms(redis), readAlarmHistory(redis)]);
    const { incidents, destinations, conditions, deliveries } = stored;
    const open = incidents.filter(({ endedAt }) => endedAt === null);
    const dead = deliveries.filter(({ isDead }) => isDead).length;
    return {
      lines: [
        open.length === 0 ? "No open incidents." : `Open incidents: ${open.length}`,
        ...open.map(({ openedAt, title }) => `  ${moment(openedAt)}  ${printable(title)}`),
        "",
        ...destinationLines({ ...stored, ...history }),
        ...(dead === 0 ? [] : [`${dead} messages were given up. Send them again on the Alarms page.`]),
        "",
        ...columns([
          ["ALARM", "STATE", "QUIET TIME"],
          ...alarmKinds.map((kind) => {
            const { isOn, quietMs } = conditions[kind];
            return [kind, isOn ? "on" : "off", formatDuration(quietMs)];
          }),
        ]),
      ],
      json: { incidents: open, destinations, conditions, givenUp: dead },
    };
  },
};

function destinationLines({ destinations, messages }: StoredAlarms & AlarmHistory): readonly string[] {
  if (destinations.length === 0) return ["No destinations: alarms are shown on the Alarms page alone."];
  const rows = destinations.map(({ id, name, kind, shown, isOn, alarms }) => {
    const last = messages.find(({ destination }) => destination === id);
    const said = last
      ? `${moment(last.at)}${last.failure === null ? "" : `, FAILED: ${last.failure}`}`
      : "nothing yet";
    const which = alarms.length === alarmKinds.length ? "all" : alarms.join(" ");
    return [name, kind, shown, isOn ? "on" : "off", which, said].map(printable);
  });
  return columns([["DESTINATION", "KIND", "TO", "STATE", "ALARMS", "LAST SENT"], ...rows]);
}
