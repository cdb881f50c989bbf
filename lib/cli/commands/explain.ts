import { type ExplainedStep, explain } from "../../enforce/guard/explain.ts";
import { readRules } from "../../enforce/guard/explain-rules.ts";
import type { GuardRequest } from "../../enforce/guard/request.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { findCovering } from "../../enforce/lists/lookup.ts";
import { DomainError } from "../../errors.ts";
import { blockOf, type Ip, parseIp } from "../../ip/parse.ts";
import { sessionOf } from "../../manage/customers/session-limits.ts";
import { search } from "../../observe/lists/search.ts";
import { filesOf } from "../../observe/networks/mmdb-setting.ts";
import { sayNetwork } from "../../observe/networks/network-words.ts";
import { type Network, Networks } from "../../observe/networks/networks.ts";
import { specialRange } from "../../observe/networks/special-ranges.ts";
import { headersWith, readValue } from "../../observe/policy/explain-value.ts";
import { readSlack } from "../../observe/stats/rule-slack.ts";
import { Series } from "../../observe/stats/series.ts";
import { type Command, type CommandReport, UsageError } from "../command.ts";
import { type Io, readText } from "../io.ts";
import { entryToJson } from "../list-report.ts";
import { until } from "../moment.ts";
import { reasonOf } from "../operands.ts";
import type { GivenOptions } from "../options.ts";
import { type CommandSession, withCounters } from "../session.ts";

/** Time limit in ms for the counters. Longer than a request waits, because a person does. */
const withinMs = 2_000;
const mostBytes = 100_000;

export const explainClient: Command = {
  name: "explain",
  takes: "[<ip>]",
  operands: { least: 0, most: 1 },
  summary: "Explain the verdict for a client, step by step",
  about: [
    "Writes nothing and counts nothing. The output has the network of the address. The deciding step is marked with >. Entries in Redis that are not enforced are",
    "shown with the reason. For a rule with slack, the output has how far the rule may be exceeded, and how much passed",
    "above its limit in the last hour. Values of headers and cookies are counted by their digests: --value finds the",
    "counters of a value, with or without an address. Give - and type or pipe the value, so that it does not stay in",
    "the history of the shell.",
  ],
  options: ["app", "path", "method", "customer", "value"],
  examples: [
    "sluice explain 203.0.113.9",
    "sluice explain 203.0.113.9 --app storefront --path /login --customer 1042",
    "sluice explain 2001:db8::1 --json",
    "sluice explain --value - < api-key.txt",
  ],
  async run({ operands: [text = ""], options, io, reading }) {
    const value = await readGivenValue(options, io);
    if (text === "") return explainValue(value, await reading(), io);
    const ip = parseIp(text);
    if (!ip.ok) throw new DomainError("bad-input", `${reasonOf(ip)}.`, { ip: reasonOf(ip) });
    const session = await reading();
    // A guard explains from its own copy while Redis is away. Here is no copy, so this read reports the error.
    await search(session.redis, ip.value, session.protectedRanges);
    const given = readRequest(options);
    const request = { ...given, ...(await sessionOf(session.redis, given.customerId)) };
    const explanation = await withCounters(session, io.environment, (counters) => {
      const sources = {
        redis: session.redis,
        scales: createScales(counters, { withinMs }),
        app: options.text("app") ?? "",
      };
      return explain(
        {
          readEntries: (client) => findCovering(session.redis, client, session.protectedRanges),
          readRules: (client) =>
            readRules(
              sources,
              request,
              client,
              value === undefined ? undefined : (policy) => headersWith(policy, value),
            ),
          readSlack: (rules) => readSlack({ redis: session.redis, series: new Series(session.redis) }, rules),
        },
        { ip: ip.value },
      );
    });
    const steps = explanation.steps.map((step) => ({ ...step, entries: step.entries.map(entryToJson) }));
    const network = await networkOf(ip.value, io);
    return {
      lines: [
        explanation.says,
        `Network: ${network ? sayNetwork(network) : noData}.`,
        "",
        ...explanation.steps.flatMap((step) => say(step, session.now())),
      ],
      json: { ...explanation, network: network ?? null, steps },
    };
  },
};

const noData = "unknown. Set SLUICE_MMDB to MMDB files with data on networks";

/** Undefined without any data. */
async function networkOf(ip: Ip, io: Io): Promise<Network | undefined> {
  const block = blockOf(ip);
  const special = specialRange(block);
  if (special !== undefined) return { special };
  const networks = new Networks({ files: filesOf(io.environment.mmdb), log: () => {} });
  await networks.refresh();
  return networks.sources.some(({ isLoaded }) => isLoaded) ? networks.find(block) : undefined;
}

async function readGivenValue(options: GivenOptions, io: Io): Promise<string | undefined> {
  const given = options.text("value");
  return given === "-" ? (await readText("-", io, mostBytes)).trim() : given;
}

async function explainValue(
  value: string | undefined,
  session: CommandSession,
  io: Io,
): Promise<CommandReport> {
  if (value === undefined || value === "")
    throw new UsageError(
      "An argument is missing. Usage: sluice explain [<ip>] [--value <text|->]",
      "explain",
    );
  const rules = await withCounters(session, io.environment, (counters) =>
    readValue({ redis: session.redis, scales: createScales(counters, { withinMs }) }, value),
  );
  const none = "No rule counts by the value of a header or cookie alone.";
  return { lines: rules.length === 0 ? [none] : rules.map(({ says }) => says), json: { rules } };
}

function readRequest(options: GivenOptions): Omit<GuardRequest, "ip"> {
  const customerId = options.text("customer");
  return {
    path: options.text("path") ?? "/",
    method: options.text("method")?.toUpperCase() ?? "GET",
    ...(customerId !== undefined && { customerId }),
  };
}

function say({ step, decides, says, entries, rules = [], slack = [] }: ExplainedStep, now: number): string[] {
  const indent = " ".repeat(13);
  const levels = rules.map((rule) => `${indent}${rule.isDeciding ? "> " : ""}${rule.says}`);
  const ends = entries.map(({ address, expiresAt }) => `${indent}${address}: ${until(expiresAt, now)}`);
  const excess = slack.map((rule) => `${indent}${rule.says}`);
  return [`${decides ? ">" : " "} ${step.padEnd(9)}  ${says}`, ...ends, ...levels, ...excess];
}
