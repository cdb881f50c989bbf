import { at } from "../../at.ts";
import { whyNotEnforced } from "../../enforce/lists/lockout.ts";
import type { CoveringEntry, RedisEntry } from "../../enforce/lists/lookup.ts";
import { protector, readNeverBlock } from "../../enforce/lists/protected.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { plural } from "../../observe/doctor/finding.ts";
import { listEntries } from "../../observe/lists/scan.ts";
import { type AddressSearch, search } from "../../observe/lists/search.ts";
import { type EntryHits, EntryHitsReader, hitsOf } from "../../observe/stats/entry-hits.ts";
import { Series } from "../../observe/stats/series.ts";
import type { ListName } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import type { Command, CommandReport } from "../command.ts";
import { entryRow, entryToJson, type ListWord, listNamed } from "../list-report.ts";
import { readAddresses, readLimit } from "../operands.ts";
import type { CommandSession } from "../session.ts";
import { columns } from "../terminal.ts";

export function listShow(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} list`,
    takes: "",
    operands: { least: 0, most: 0 },
    summary: `Show the ${list}, or its entries for an address`,
    about: [
      "--search finds the entries that cover an address or range, and the entries inside a range.",
      "1 H and 24 H are the requests that nodes decided by the entry, for the 1,000 busiest entries. A dash is an unknown",
      "number. Requests that an edge or another system denies are not counted.",
    ],
    options: ["search", "limit"],
    examples: [`sluice ${word} list --search 203.0.113.9`, `sluice ${word} list --limit all --json`],
    async run({ options, reading }) {
      const limit = readLimit(options);
      const searched = options.text("search");
      if (searched === undefined) return showAll(await reading(), list, limit);
      const address = at(readAddresses([searched], "search"), 0);
      return showFound(await reading(), list, limit, address);
    },
  };
}

async function showAll(session: CommandSession, list: ListName, limit: number): Promise<CommandReport> {
  const { redis, now } = session;
  const protect = protector([...session.protectedRanges, ...(await readNeverBlock(redis))]);
  const entries: CoveringEntry[] = [];
  let isCut = false;
  for await (const entry of listEntries(redis, list)) {
    isCut = entries.length >= limit;
    if (isCut) break;
    const notEnforcedBecause = whyNotEnforced(list, entry.address, "string", protect);
    entries.push({ ...entry, ...(notEnforcedBecause && { notEnforcedBecause }) });
  }
  entries.sort((a, b) => compare(a.address, b.address));
  const hits = await readHits(session, list);
  const more = `${entries.length} shown. There are more: --limit all shows every entry.`;
  const sum = isCut ? more : `${plural(entries.length, "entry", "entries")} on the ${list}.`;
  return {
    lines: [...table(entries, hits, now()), sum],
    json: { list, entries: entries.map((entry) => toJson(entry, hits)), more: isCut },
  };
}

async function showFound(
  session: CommandSession,
  list: ListName,
  limit: number,
  address: Ip | Cidr,
): Promise<CommandReport> {
  const found = await search(session.redis, address, session.protectedRanges);
  const here = [...found.covering, ...found.inside].filter((entry) => entry.list === list);
  const entries = here.slice(0, limit);
  const isCut = entries.length < here.length || found.inside.length < found.insideCount;
  const cut = isCut ? ["There are more: the export has every entry."] : [];
  const { decisive } = found;
  const hits = await readHits(session, list);
  return {
    lines: [...table(entries, hits, session.now()), ...cut, sayDecisive(found, list, entries.length)],
    json: {
      ...{ list, address: found.address, entries: entries.map((entry) => toJson(entry, hits)), more: isCut },
      decisive: decisive ? { list: decisive.list, address: decisive.address } : null,
    },
  };
}

function sayDecisive({ address, decisive }: AddressSearch, list: ListName, shown: number): string {
  const none = shown === 0 ? `No entry of the ${list} covers ${address} or lies inside it. ` : "";
  if (!decisive) return `${none}No enforced entry covers all of ${address}.`;
  const which = decisive.address === address ? "its own entry" : `the entry ${decisive.address}`;
  return `${none}${address} is decided by ${which} on the ${decisive.list}.`;
}

/** Requests that an entry decided, in the last hour and in 24 h. Undefined where unknown. */
type HitsOf = (address: string) => Pick<EntryHits, "hour" | "day">;

async function readHits({ redis }: CommandSession, list: ListName): Promise<HitsOf> {
  const hits = await new EntryHitsReader(redis, new Series(redis)).read(list, await redisNow(redis));
  return (address) => hitsOf(hits, address);
}

function toJson(entry: RedisEntry | CoveringEntry, hits: HitsOf) {
  const { hour = null, day = null } = hits(entry.address);
  return { ...entryToJson(entry), hits: { hour, day } };
}

function table(entries: readonly RedisEntry[], hits: HitsOf, now: number): string[] {
  if (entries.length === 0) return [];
  return columns([
    ["ADDRESS", "UNTIL", "LEFT", "1 H", "24 H", "BY", "REASON"],
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
