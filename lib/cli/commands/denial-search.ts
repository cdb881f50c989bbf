import { parseDuration } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { sayCompleteness } from "../../observe/denials/denial-log.ts";
import { type DenialRow, exportDenials } from "../../observe/denials/export-denials.ts";
import type { WantedDenials } from "../access/denial-access.ts";
import type { Command } from "../command.ts";
import { put } from "../io.ts";
import { readAddresses, readLimit } from "../operands.ts";
import type { GivenOptions } from "../options.ts";
import { columns, printable } from "../terminal.ts";

export const denialLog: Command = {
  name: "denials",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Search the log of denied requests",
  about: [
    "The log has at most 1,000 denials of each hour, each with the same chance, and the output says of how many. A denial that it",
    "does not have is found by its reference: sluice explain <reference>.",
  ],
  options: ["client", "customer", "rule", "app", "path", "outcome", "since", "limit", "csv"],
  examples: [
    "sluice denials --client 203.0.113.0/24 --since 2h",
    "sluice denials --customer acme --outcome throttled",
    "sluice denials --since 7d --limit all --csv > denials.csv",
  ],
  async run({ options, io, readAccess }) {
    const limit = readLimit(options);
    const wanted = { ...readWanted(options), sinceMs: readSince(options) };
    const { rows, complete } = await (await readAccess()).searchDenials(wanted);
    const found = first(rows, limit);
    const says = sayCompleteness(complete);
    if (options.has("csv")) {
      for await (const line of exportDenials(found, "csv"))
        await put(io.stdout, io.isTTY ? `${printable(line.trimEnd())}\n` : line);
      return { lines: [], complaints: [says], json: undefined };
    }
    const denials = await collected(found);
    const json = { ...complete, since: new Date(complete.since).toISOString(), denials };
    const shown = denials.map(({ at, outcome, client, customer, rule, app, method, path }) => [
      ...[at.slice(0, 19), outcome, client, customer || "-", rule, app, `${method} ${path}`],
    ]);
    const table = shown.length === 0 ? ["No such denial is kept."] : columns([head, ...shown], "  ");
    return { lines: [...table, "", says], json };
  },
};

const head = ["TIME (UTC)", "OUTCOME", "CLIENT", "CUSTOMER", "BY", "APP", "REQUEST"];

async function* first(rows: AsyncIterable<DenialRow>, limit: number): AsyncGenerator<DenialRow> {
  let left = limit;
  for await (const row of rows) {
    yield row;
    left -= 1;
    if (left === 0) return;
  }
}

async function collected(found: AsyncIterable<DenialRow>): Promise<DenialRow[]> {
  const items: DenialRow[] = [];
  for await (const item of found) items.push(item);
  return items;
}

const defaultSinceMs = 24 * 3_600_000;

function readSince(options: GivenOptions): number {
  const text = options.text("since");
  if (text === undefined) return defaultSinceMs;
  const parsed = parseDuration(text);
  if (parsed.ok && parsed.value !== null) return parsed.value;
  const problem = parsed.ok ? "write a duration such as 2h or 7d" : parsed.reason;
  throw new DomainError("bad-input", `--since: ${problem}.`, { since: problem });
}

function readWanted(options: GivenOptions): Omit<WantedDenials, "sinceMs"> {
  const client = options.text("client");
  const outcome = options.text("outcome");
  if (outcome !== undefined && outcome !== "blocked" && outcome !== "throttled") {
    const problem = "write blocked or throttled";
    throw new DomainError("bad-input", `--outcome: ${problem}.`, { outcome: problem });
  }
  return {
    client: client === undefined ? undefined : readAddresses([client], "client")[0],
    ...{ customer: options.text("customer"), rule: options.text("rule"), app: options.text("app") },
    ...{ path: options.text("path"), outcome },
  };
}
