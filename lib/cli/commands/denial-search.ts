import { parseDuration } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import {
  type DenialFilter,
  readCompleteness,
  sayCompleteness,
  walkDenials,
} from "../../observe/denials/denial-log.ts";
import { denialOfLog, exportDenials } from "../../observe/denials/export-denials.ts";
import type { FeedItem } from "../../observe/stats/feed.ts";
import { Series } from "../../observe/stats/series.ts";
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
  async run({ options, io, reading }) {
    const [sinceMs, limit, wanted] = [readSince(options), readLimit(options), readWanted(options)];
    const { redis, now } = await reading();
    const filter = { ...wanted, from: now() - sinceMs, to: now() };
    const found = first(walkDenials(redis, filter), limit);
    const complete = await readCompleteness(
      { redis, series: new Series(redis) },
      { ...filter, nowMs: now() },
    );
    const says = sayCompleteness(complete);
    if (options.has("csv")) {
      for await (const line of exportDenials(found, "csv"))
        await put(io.stdout, io.isTTY ? `${printable(line.trimEnd())}\n` : line);
      return { lines: [], complaints: [says], json: undefined };
    }
    const items = await collected(found);
    const json = {
      ...{ ...complete, since: new Date(complete.since).toISOString() },
      denials: items.map(denialOfLog),
    };
    const rows = items.map(({ at, outcome, ip, customerId, rule, app, method, path }) => [
      ...[
        new Date(at).toISOString().slice(0, 19),
        outcome,
        ip,
        customerId || "-",
        rule,
        app,
        `${method} ${path}`,
      ],
    ]);
    const table = rows.length === 0 ? ["No such denial is kept."] : columns([head, ...rows], "  ");
    return { lines: [...table, "", says], json };
  },
};

const head = ["TIME (UTC)", "OUTCOME", "CLIENT", "CUSTOMER", "BY", "APP", "REQUEST"];
async function* first(items: AsyncIterable<FeedItem>, limit: number): AsyncGenerator<FeedItem> {
  let count = 0;
  for await (const item of items) {
    if (count++ >= limit) return;
    yield item;
  }
}

async function collected(found: AsyncIterable<FeedItem>): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
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

function readWanted(options: GivenOptions): Omit<DenialFilter, "from" | "to"> {
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
