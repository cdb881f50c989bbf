import { looksLikeReference } from "../../enforce/references/reference.ts";
import { DomainError } from "../../errors.ts";
import { blockOf, type Ip, parseIp } from "../../ip/parse.ts";
import { specialRange } from "../../ip/special-ranges.ts";
import { filesOf } from "../../observe/networks/mmdb-setting.ts";
import { sayNetwork } from "../../observe/networks/network-words.ts";
import { type Network, Networks } from "../../observe/networks/networks.ts";
import type { ExplainedRequest } from "../../observe/policy/explain-request.ts";
import type { ExplainedVerdict } from "../access/access.ts";
import { type Command, type CommandCall, type CommandReport, UsageError } from "../command.ts";
import { type Io, readText } from "../io.ts";
import { until } from "../moment.ts";
import { reasonOf } from "../operands.ts";
import type { GivenOptions, OptionName } from "../options.ts";

const mostBytes = 100_000;

export const explainClient: Command = {
  name: "explain",
  takes: "[<ip|reference>]",
  operands: { least: 0, most: 1 },
  summary: "Explain the verdict for a client, step by step, or a denial by its reference",
  about: [
    "Writes nothing and counts nothing. The output has the network of the address. The deciding step is marked with >. Entries in Redis that are not enforced are",
    "shown with the reason. For a rule with slack, the output has how far the rule may be exceeded, and how much passed",
    "above its limit in the last hour. Values of headers and cookies are counted by their digests: --value finds the",
    "counters of a value, with or without an address. Give - and type or pipe the value, so that it does not stay in",
    "the history of the shell. A reference, as a denied client has it from the answer or from the header x-sluice-ref, says",
    "when, where and why the request was denied, and whether the same still denies the client.",
  ],
  options: [
    ...(["app", "path", "method", "customer", "value"] as const),
    ...(["user-agent", "header", "country", "verified-bot"] as const),
  ],
  examples: [
    "sluice explain 203.0.113.9",
    "sluice explain 203.0.113.9 --app storefront --path /login --customer 1042",
    "sluice explain 203.0.113.9 --user-agent curl/8.5.0 --country DE --header 'X-Api-Version: 2'",
    "sluice explain 2001:db8::1 --json",
    "sluice explain slr-17w3k5m0e2x9c4t8r6h1q7b5n3z0y9v8s2p4d6f1g3j5",
    "sluice explain --value - < api-key.txt",
  ],
  async run({ operands: [text = ""], options, io, readAccess }) {
    const value = await readGivenValue(options, io);
    if (text === "") return explainValue(value, readAccess);
    if (looksLikeReference(text)) {
      const { says, json } = await (await readAccess()).explainReference(text);
      return { lines: says, json };
    }
    const ip = parseIp(text);
    if (!ip.ok) throw new DomainError("bad-input", `${reasonOf(ip)}.`, { ip: reasonOf(ip) });
    const { explain, now } = await readAccess();
    const request = { ...readRequest(options), ip: ip.value, ...(value !== undefined && { value }) };
    const { says, steps, json } = await explain(request);
    const network = await networkOf(ip.value, io);
    return {
      lines: [
        says,
        `Network: ${network ? sayNetwork(network) : noData}.`,
        "",
        ...steps.flatMap((step) => say(step, now())),
      ],
      json: { ...json, network: network ?? null },
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
  readAccess: CommandCall["readAccess"],
): Promise<CommandReport> {
  if (value === undefined || value === "")
    throw new UsageError(
      "An argument is missing. Usage: sluice explain [<ip|reference>] [--value <text|->]",
      "explain",
    );
  const rules = await (await readAccess()).explainValue(value);
  const none = "No rule counts by the value of a header or cookie alone.";
  return { lines: rules.length === 0 ? [none] : rules.map(({ says }) => says), json: { rules } };
}

function readRequest(options: GivenOptions): Omit<ExplainedRequest, "ip"> {
  const customerId = options.text("customer");
  return {
    app: options.text("app") ?? "",
    path: options.text("path") ?? "/",
    method: options.text("method")?.toUpperCase() ?? "GET",
    ...(customerId !== undefined && { customerId }),
    headers: readHeaders(options),
    ...readCountry(options),
    ...readVerifiedBot(options),
  };
}

/** By their lower-case names. */
function readHeaders(options: GivenOptions): Record<string, string> {
  const given = options.texts("header").map((text) => {
    const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}):(.*)$/s.exec(text) ?? [];
    if (name !== undefined && value !== undefined) return [name.toLowerCase(), value.trim()] as const;
    throw wrong("header", 'write a header as "name: value"');
  });
  const agent = options.text("user-agent");
  return { ...Object.fromEntries(given), ...(agent !== undefined && { "user-agent": agent }) };
}

function readCountry(options: GivenOptions): { country?: string } {
  const text = options.text("country");
  if (text === undefined) return {};
  if (/^[A-Za-z][A-Za-z0-9]$/.test(text)) return { country: text.toUpperCase() };
  throw wrong("country", "write a country by the two letters of ISO 3166: DE");
}

function readVerifiedBot(options: GivenOptions): { verifiedBot?: boolean } {
  const text = options.text("verified-bot");
  if (text === undefined) return {};
  if (text === "yes" || text === "no") return { verifiedBot: text === "yes" };
  throw wrong("verified-bot", "write yes or no");
}

function wrong(option: OptionName, problem: string): DomainError {
  return new DomainError("bad-input", `--${option}: ${problem}.`, { [option]: problem });
}

function say(
  { step, decides, says, entries, rules, slack }: ExplainedVerdict["steps"][number],
  now: number,
): string[] {
  const indent = " ".repeat(13);
  const levels = rules.map((rule) => `${indent}${rule.isDeciding ? "> " : ""}${rule.says}`);
  const ends = entries.map(({ address, expiresAt }) => `${indent}${address}: ${until(expiresAt, now)}`);
  const excess = slack.map((rule) => `${indent}${rule.says}`);
  return [`${decides ? ">" : " "} ${step.padEnd(9)}  ${says}`, ...ends, ...levels, ...excess];
}
