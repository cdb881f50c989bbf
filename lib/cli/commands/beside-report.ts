import type { Difference } from "../../enforce/beside/differences.ts";
import { parseDuration } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { type BesideComparison, readBeside } from "../../observe/stats/beside.ts";
import type { Command } from "../command.ts";
import { moment } from "../moment.ts";
import type { GivenOptions } from "../options.ts";
import { columns } from "../terminal.ts";

export const besideReport: Command = {
  name: "beside report",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the requests that Sluice and the limiter beside it decided differently, and why",
  about: [
    "For apps that run createBeside of sluice/beside. Counts of whole hours are added, so the report may",
    "begin up to an hour earlier. It looks back 8 days at most.",
  ],
  options: ["app", "since"],
  examples: ["sluice beside report", "sluice beside report --app shop --since 2h --json"],
  async run({ options, reading }) {
    const lookBackMs = readSince(options);
    const app = options.text("app");
    const { redis, now } = await reading();
    const sinceMs = now() - lookBackMs;
    const apps = await readBeside(redis, { nowMs: now(), sinceMs, app });
    const none = `No request was compared since ${moment(sinceMs)}. See createBeside of sluice/beside.`;
    return {
      lines: apps.length === 0 ? [none] : apps.flatMap((one) => [...sayApp(one), ""]).slice(0, -1),
      json: { since: new Date(sinceMs).toISOString(), apps },
    };
  },
};

const defaultSinceMs = 24 * 3_600_000;

function readSince(options: GivenOptions): number {
  const text = options.text("since");
  if (text === undefined) return defaultSinceMs;
  const parsed = parseDuration(text);
  if (parsed.ok && parsed.value !== null) return parsed.value;
  const problem = parsed.ok ? "write a duration such as 2h or 7d" : parsed.reason;
  throw new DomainError("bad-input", `--since: ${problem}.`, { since: problem });
}

const head = ["DENIED BY", "REASON", "RULE", "REQUESTS"];
const limiters = { old: "old limiter only", sluice: "Sluice only" } as const;

function sayApp({ app, compared, different, counts, examples }: BesideComparison): string[] {
  const count = `${compared.toLocaleString("en-US")} compared`;
  if (different === 0) return [`${app}: ${count}, all decided the same.`];
  const rows = counts.map(({ deniedBy, reason, rule, requests }) => [
    ...[limiters[deniedBy], reason, rule || "-", requests.toLocaleString("en-US")],
  ]);
  return [
    `${app}: ${count}, ${different.toLocaleString("en-US")} decided differently.`,
    ...columns([head, ...rows], "  "),
    "",
    ...examples.map(sayExample),
  ];
}

function sayExample({ at, method, path, ip, deniedBy, reason, says }: Difference): string {
  const request = `${new Date(at).toISOString()} ${method} ${path} from ${ip ?? "an unknown client"}`;
  return `  ${request}: denied by ${limiters[deniedBy]}. ${reason}: ${says}`;
}
