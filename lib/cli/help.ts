import { type Command, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { exitCodeHelp } from "./failure.ts";
import { commonOptions, type OptionName, optionOf } from "./options.ts";
import { columns } from "./terminal.ts";

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
  ["COUNTERS_REDIS_URL", "where counters are; REDIS_URL unless set"],
  [
    "SLUICE_URL",
    "console whose API is used in place of REDIS_URL; the help of a command says if it needs Redis all the same",
  ],
  ["SLUICE_API_TOKEN", "token of that API; takes the place of NEXTAUTH_SECRET, too"],
  ["NEXTAUTH_SECRET", "the console's secret; required for changes, because it seals their audit records"],
  ["NEXTAUTH_URL", "where browsers reach the console; the start of links for users"],
  ["SLUICE_TRUSTED_PROXIES", "ranges that cannot be blocked, the same as in the apps"],
  ["SLUICE_NEVER_BLOCK", "more ranges that cannot be blocked"],
  ["SLUICE_MMDB", "MMDB files with data on networks, separated by commas"],
];

/** Help on all commands (""), on a group ("block") or on one command ("block add"). */
export function help(about: string): string[] {
  if (about === "") return overview();
  const command = commands.find(({ name }) => name === about);
  if (command) return manual(command);
  const group = commands.filter(({ name }) => name.startsWith(`${about} `));
  if (group.length === 0) throw new UsageError(`Unknown command "${about}".`);
  const more = `Help on one command: sluice ${about} <verb> --help`;
  return [...section("Commands", summaries(group)), more];
}

function overview(): string[] {
  return [
    "sluice: safelists, blocklists and throttles for a fleet of apps. Changes are in force on every node within a second.",
    "",
    "Usage: sluice <command> [options]",
    "",
    ...section("Commands", summaries(commands)),
    ...section("Options of every command", optionLines(commonOptions)),
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
    "Help on one command: sluice <command> --help",
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
    ...(command.needsRedis ? ["It needs Redis: the API of SLUICE_URL does not serve it."] : []),
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
