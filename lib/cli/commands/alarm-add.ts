import { DomainError } from "../../errors.ts";
import {
  type AlarmKind,
  alarmKinds,
  type DestinationKind,
  destinationKinds,
  isAlarmKind,
  kindTerms,
} from "../../manage/alarms/kinds.ts";
import { didYouMean } from "../../nearest.ts";
import type { Command } from "../command.ts";
import { readText } from "../io.ts";
import type { GivenOptions } from "../options.ts";

const mostBytes = 4_000;

export const alarmAdd: Command = {
  name: "alarm add",
  takes: "<name> <kind> <url|email|->",
  operands: { least: 3, most: 3 },
  summary: "Send alarms to a webhook, Slack, Teams, ntfy or email",
  about: [
    "Kinds of destinations: webhook, slack, teams, ntfy, email. With -, the URL is read from standard input: URLs of Slack and Teams are",
    "secrets, and other users of this machine can see a command line. For ntfy, a second line is its access token.",
    "Of a webhook the signing key is printed only once. Email needs SLUICE_SMTP_URL and SLUICE_MAIL_FROM at the console.",
    "Without --alarm it gets all kinds of alarms:",
    ...alarmKinds.map((kind) => `  ${kind.padEnd(9)} ${kindTerms[kind].about}`),
  ],
  options: ["alarm"],
  examples: [
    "sluice alarm add On-call webhook https://events.example.com/v2",
    "sluice alarm add '#security' slack - --alarm attack --alarm ban",
    "sluice alarm add Ops email ops@example.com,security@example.com",
  ],
  async run({ operands, options, io, writeAccess }) {
    const [name = "", kindText = "", text = ""] = operands;
    const kind = kindOf(kindText);
    const alarms = alarmsOf(options);
    const lines = (text === "-" ? await readText("-", io, mostBytes) : text).split(/\r?\n/);
    const [to = "", token] = kind === "email" ? [lines.join(" ")] : lines.map((line) => line.trim());
    const { addDestination } = await writeAccess();
    const { destination, signingKey } = await addDestination({
      ...{ name, kind, to, alarms, token: kind === "ntfy" && token ? token : undefined },
    });
    return {
      lines: [
        `Alarms are sent to ${destination.name} (${destination.shown}). Try it: sluice alarm test ${JSON.stringify(destination.name)}`,
        ...(signingKey === null ? [] : ["Its signing key, shown once:", signingKey]),
      ],
      json: { ...destination, signingKey },
    };
  },
};

function kindOf(text: string): DestinationKind {
  const kind = destinationKinds.find((one) => one === text);
  if (kind) return kind;
  const problem = `write one of ${destinationKinds.join(", ")}`;
  throw new DomainError(
    "bad-input",
    `"${text.slice(0, 50)}" is no kind of destination: ${problem}.${didYouMean(text, destinationKinds)}`,
    { kind: problem },
  );
}

function alarmsOf(options: GivenOptions): readonly AlarmKind[] {
  if (!options.has("alarm")) return alarmKinds;
  return options.texts("alarm").map((text) => {
    if (isAlarmKind(text)) return text;
    const problem = `"${text.slice(0, 50)}" is no kind of alarm: write one of ${alarmKinds.join(", ")}`;
    throw new DomainError("bad-input", `--alarm: ${problem}.${didYouMean(text, alarmKinds)}`, {
      alarm: problem,
    });
  });
}
