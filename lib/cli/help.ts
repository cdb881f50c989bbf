import { columns } from "./columns.ts";
import { type Command, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { exitCodeHelp } from "./exit-code.ts";
import { commonOptions, type OptionName, optionOf } from "./options.ts";

const examples = [
  'sluice block add 203.0.113.9 --ttl 24h --reason "credential stuffing"',
  "sluice safelist add 198.51.100.0/24 --ttl never",
  "sluice customer tier acme pro",
  "sluice mode shadow",
  "sluice user add ops@example.org --role staff",
  "sluice explain 203.0.113.9",
  "sluice doctor",
];

const settings = [
  ["REDIS_URL", "where lists, customers and policy are"],
  ["COUNTERS_REDIS_URL", "where it is counted; REDIS_URL unless set"],
  ["NEXTAUTH_SECRET", "the console's; seals each change, so changing anything needs it"],
  ["NEXTAUTH_URL", "where browsers reach the console; links for users begin with it"],
  ["SLUICE_TRUSTED_PROXIES", "ranges that nobody may block, as the apps have it"],
  ["SLUICE_NEVER_BLOCK", "more of them"],
];

/** Help on everything, on a group ("block") or on one command ("block add"). */
export function help(about: string): string[] {
  if (about === "") return overview();
  const command = commands.find(({ name }) => name === about);
  if (command) return manual(command);
  const group = commands.filter(({ name }) => name.startsWith(`${about} `));
  if (group.length === 0) throw new UsageError(`There is no command "${about}".`);
  const more = `More on each: sluice ${about} <verb> --help`;
  return [...section("Commands", summaries(group)), more];
}

function overview(): string[] {
  return [
    "sluice: safelists, blocklists and throttles for a fleet of apps. What it changes is in force everywhere at once.",
    "",
    "Usage: sluice <command> [options]",
    "",
    ...section("Commands", summaries(commands)),
    ...section("With every command", optionLines(commonOptions)),
    ...section("Environment", columns(settings, "  ")),
    ...section(
      "Exit codes",
      columns(
        exitCodeHelp.map(([code, says]) => [String(code), says]),
        "  ",
      ),
    ),
    ...section(
      "Examples",
      examples.map((line) => `  ${line}`),
    ),
    "More on each: sluice <command> --help",
  ];
}

function manual(command: Command): string[] {
  const usage = ["sluice", command.name, command.takes, "[options]"].filter(Boolean).join(" ");
  return [
    `${command.summary}.`,
    "",
    `Usage: ${usage}`,
    "",
    ...command.about,
    "",
    ...section("Options", optionLines([...command.options, ...commonOptions])),
    ...section(
      "Examples",
      command.examples.map((line) => `  ${line}`),
    ),
  ].slice(0, -1);
}

function summaries(group: readonly Command[]): string[] {
  return columns(
    group.map(({ name, takes, summary }) => [`${name} ${takes}`, summary]),
    "  ",
  );
}

function optionLines(names: readonly OptionName[]): string[] {
  return columns(
    names.map((name) => {
      const { value, short, says } = optionOf(name);
      return [`${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`, says];
    }),
    "  ",
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return [`${title}:`, ...lines, ""];
}
