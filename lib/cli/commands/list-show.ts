import { at } from "../../at.ts";
import type { CoveringEntry, RedisEntry } from "../../enforce/lists/lookup.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { plural } from "../../observe/doctor/finding.ts";
import type { ListName } from "../../redis/keys.ts";
import type { EntriesAsked, EntriesFound, HitsOf, ReadAccess } from "../access/access.ts";
import type { Command, CommandReport } from "../command.ts";
import { entryRow, entryToJson, type ListWord, listNamed } from "../list-report.ts";
import { readAddresses, readLimit, readOneTag } from "../operands.ts";
import { columns } from "../terminal.ts";

export function listShow(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} list`,
    takes: "",
    operands: { least: 0, most: 0 },
    summary: `Show the ${list}, or its entries for an address`,
    about: [
      "--tag shows only the entries with this tag.",
      "--search finds the entries that cover an address or range, and the entries inside a range.",
      "1 H and 24 H are the requests that nodes decided by the entry, for the 1,000 busiest entries. A dash is an unknown",
      "number. Requests that an edge or another system denies are not counted.",
    ],
    options: ["search", "tag", "limit"],
    examples: [`sluice ${word} list --search 203.0.113.9`, `sluice ${word} list --limit all --json`],
    async run({ options, readAccess }) {
      const page = { limit: readLimit(options), tag: readOneTag(options) };
      const searched = options.text("search");
      if (searched === undefined) return showAll(await readAccess(), list, page);
      const address = at(readAddresses([searched], "search"), 0);
      return showFound(await readAccess(), list, page, address);
    },
  };
}

async function showAll(
  { listEntries, now }: ReadAccess,
  list: ListName,
  page: EntriesAsked,
): Promise<CommandReport> {
  const { entries: found, isCut, hits } = await listEntries(list, page);
  const entries = [...found].sort((a, b) => compare(a.address, b.address));
  const more = `${entries.length} shown. There are more: --limit all shows every entry.`;
  const tagged = page.tag === undefined ? "" : ` with the tag ${page.tag}`;
  const sum = isCut ? more : `${plural(entries.length, "entry", "entries")} on the ${list}${tagged}.`;
  return {
    lines: [...table(entries, hits, now()), sum],
    json: { list, entries: entries.map((entry) => toJson(entry, hits)), more: isCut },
  };
}

async function showFound(
  { findEntries, now }: ReadAccess,
  list: ListName,
  page: EntriesAsked,
  searched: Ip | Cidr,
): Promise<CommandReport> {
  const found = await findEntries(list, searched, page);
  const { address, entries, isCut, hits, decisive } = found;
  const cut = isCut ? ["There are more: the export has every entry."] : [];
  const shown = entries.map((entry) => toJson(entry, hits));
  return {
    lines: [...table(entries, hits, now()), ...cut, ...sayDecisive(found, list)],
    json: { list, address, entries: shown, more: isCut, ...(decisive !== undefined && { decisive }) },
  };
}

function sayDecisive({ address, decisive, entries }: EntriesFound, list: ListName): string[] {
  const none = entries.length === 0 ? `No entry of the ${list} covers ${address} or lies inside it. ` : "";
  if (decisive === undefined) return none === "" ? [] : [none.trim()];
  if (!decisive) return [`${none}No enforced entry covers all of ${address}.`];
  const which = decisive.address === address ? "its own entry" : `the entry ${decisive.address}`;
  return [`${none}${address} is decided by ${which} on the ${decisive.list}.`];
}

function toJson(entry: RedisEntry | CoveringEntry, hits: HitsOf) {
  const { hour = null, day = null } = hits(entry.address);
  return { ...entryToJson(entry), hits: { hour, day } };
}

function table(entries: readonly RedisEntry[], hits: HitsOf, now: number): string[] {
  if (entries.length === 0) return [];
  return columns([
    ["ADDRESS", "UNTIL", "LEFT", "1 H", "24 H", "BY", "TAGS", "REASON"],
    ...entries.map((entry) => {
      const { hour, day } = hits(entry.address);
      return entryRow(entry, now).toSpliced(3, 0, ...[hour, day].map((count) => String(count ?? "-")));
    }),
  ]);
}

/** IPv4 first, then by number. */
function compare(x: Ip | Cidr, y: Ip | Cidr): number {
  const [left, right] = [blockOf(x), blockOf(y)];
  const words = (["a", "b", "c", "d"] as const).map((word) => (left[word] >>> 0) - (right[word] >>> 0));
  return [left.family - right.family, ...words, left.length - right.length].find((order) => order !== 0) ?? 0;
}
