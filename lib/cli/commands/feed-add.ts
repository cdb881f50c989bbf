import { oneWeekMs, parseDuration } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { parseSource } from "../../manage/feeds/feed-source.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { exitCode } from "../failure.ts";
import { sayRefresh } from "../feed-words.ts";
import { readText } from "../io.ts";
import { readReason } from "../operands.ts";
import type { GivenOptions, OptionName } from "../options.ts";

const hourMs = 3_600_000;
const longestKey = 4_000;

export const feedAdd: Command = {
  name: "feed add",
  takes: "<name> <source>",
  operands: { least: 2, most: 2 },
  summary: "Add a named source of addresses to the blocklist or the safelist, in shadow first",
  about: [
    "The source is https://…, file:///… (in SLUICE_FEED_FILES, /etc/sluice by default), AS64500 or country:DE.",
    "It is read at once, and again every hour: plain lines, CSV, ipset and netset files, Spamhaus DROP, or the JSON of networks.",
    "Ranges wider than /24 (IPv6 /48) are left out unless --wide confirms them. With --header, the API key is read from standard input.",
    "The safelist, protected ranges and entries made by hand win over every feed.",
  ],
  options: ["list", "mode", "every", "keep", "hold", "keys", "column", "wide", "header", "reason"],
  examples: [
    "sluice feed add scanners https://feeds.example.org/scanners.txt",
    "sluice feed add crawlers https://crawlers.example.com/ranges.json --list safelist --mode enforce",
    "sluice feed add hosting AS64500 --wide",
  ],
  async run({ operands, options, io, writeAccess }) {
    const [name = "", text = ""] = operands;
    const header = options.text("header");
    const given = {
      ...{ name, list: listOf(options), mode: modeOf(options), reason: readReason(options) },
      ...{ source: text, header },
      column: columnOf(options),
      everyMs: msOf(options, "every", hourMs) ?? hourMs,
      keepMs: msOf(options, "keep", oneWeekMs),
      holdPercent: Number(options.text("hold") ?? 50),
      isWideConfirmed: options.has("wide"),
      keysTtlMs: options.has("keys") ? (msOf(options, "keys", 0) ?? Number.POSITIVE_INFINITY) : undefined,
      apiKey: header === undefined ? undefined : (await readText("-", io, longestKey)).trim(),
    };
    // What is wrong with it is said before anything is asked.
    parseSource(text);
    const { addFeed, awaitApplied } = await writeAccess();
    const { feed, refreshed } = await addFeed(given);
    const change = refreshed.is === "changed" ? refreshed.change : null;
    const applied = await awaitApplied(change);
    return {
      lines: [
        `The feed ${feed.id} is added to the ${feed.list}${feed.mode === "shadow" ? ", in shadow: it denies nothing" : ""}.`,
        sayRefresh(feed, refreshed),
        ...sayApplied(change, applied),
      ],
      json: { feed: feed.json, refreshed, change, applied },
      exit: refreshed.is === "failed" ? exitCode.refused : exitCode.done,
    };
  },
};

function listOf(options: GivenOptions): "blocklist" | "safelist" {
  const list = options.text("list") ?? "blocklist";
  if (list === "blocklist" || list === "safelist") return list;
  throw new DomainError("bad-input", "A feed is of the blocklist or the safelist.", { list: "is neither" });
}

function modeOf(options: GivenOptions): "enforce" | "shadow" {
  const mode = options.text("mode") ?? "shadow";
  if (mode === "enforce" || mode === "shadow") return mode;
  throw new DomainError("bad-input", "A feed is in enforce or in shadow. To stop it, pause it.", {
    mode: "is neither",
  });
}

function columnOf(options: GivenOptions): number | string | undefined {
  const column = options.text("column");
  return column !== undefined && /^\d{1,3}$/.test(column) ? Number(column) : column;
}

function msOf(options: GivenOptions, name: OptionName, otherwise: number): number | null {
  const text = options.text(name);
  if (text === undefined) return otherwise;
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  throw new DomainError("bad-input", `${parsed.reason}.`, { [name]: parsed.reason });
}
