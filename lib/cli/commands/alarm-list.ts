import { formatDuration } from "../../enforce/lists/entry.ts";
import { alarmKinds } from "../../manage/alarms/kinds.ts";
import type { AlarmsRead } from "../access/alarm-access.ts";
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
  async run({ readAccess }) {
    const { incidents, destinations, conditions, givenUp, json } = await (await readAccess()).readAlarms();
    return {
      lines: [
        incidents.length === 0 ? "No open incidents." : `Open incidents: ${incidents.length}`,
        ...incidents.map(
          ({ id, openedAt, title }) => `  ${moment(openedAt)}  ${printable(id)}  ${printable(title)}`,
        ),
        "",
        ...destinationLines(destinations),
        ...(givenUp === 0 ? [] : [`${givenUp} messages were given up. Send them again on the Alarms page.`]),
        "",
        ...columns([
          ["ALARM", "STATE", "QUIET TIME"],
          ...Object.entries(conditions).map(([kind, { isOn, quietMs }]) => [
            ...[printable(kind), isOn ? "on" : "off", formatDuration(quietMs)],
          ]),
        ]),
      ],
      json,
    };
  },
};

function destinationLines(destinations: AlarmsRead["destinations"]): readonly string[] {
  if (destinations.length === 0) return ["No destinations: alarms are shown on the Alarms page alone."];
  const rows = destinations.map(({ name, kind, shown, isOn, alarms, last }) => {
    const said = last
      ? `${moment(last.at)}${last.failure === null ? "" : `, FAILED: ${last.failure}`}`
      : "nothing yet";
    const which = alarms.length === alarmKinds.length ? "all" : alarms.join(" ");
    return [name, kind, shown, isOn ? "on" : "off", which, said].map(printable);
  });
  return columns([["DESTINATION", "KIND", "TO", "STATE", "ALARMS", "LAST SENT"], ...rows]);
}
