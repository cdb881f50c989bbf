import { blockOf, type Cidr, type Ip } from "../ip/parse.ts";
import { type Entry, listEntries } from "../lists/list.ts";
import { disobedience } from "../lists/lockout.ts";
import { readNeverBlock } from "../lists/never-block.ts";
import { protector } from "../lists/protected.ts";
import { type Found, type Match, search } from "../lists/search.ts";
import type { ListName } from "../redis/keys.ts";
import { columns } from "./columns.ts";
import type { Command, Report } from "./command.ts";
import { entryRow, entryToJson } from "./entry.ts";
import { readAddresses, readLimit } from "./operands.ts";
import type { Session } from "./session.ts";
import { counted, type ListWord, listNamed } from "./words.ts";

export function listShow(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} list`,
    takes: "",
    operands: { least: 0, most: 0 },
    summary: `Show the ${list}, or what of it touches an address`,
    about: ["With --search an address finds the ranges that cover it, and a range what lies inside it, too."],
    options: ["search", "limit"],
    examples: [`sluice ${word} list --search 203.0.113.9`, `sluice ${word} list --limit all --json`],
    async run({ options, reading }) {
      const limit = readLimit(options);
      const sought = options.text("search");
      if (sought === undefined) return showAll(await reading(), list, limit);
      const [address] = readAddresses([sought], "search");
      return address ? showFound(await reading(), list, limit, address) : { lines: [], json: {} };
    },
  };
}

async function showAll(session: Session, list: ListName, limit: number): Promise<Report> {
  const { redis, now } = session;
  const protect = protector([...session.protectedRanges, ...(await readNeverBlock(redis))]);
  const entries: Match[] = [];
  let isCut = false;
  for await (const entry of listEntries(redis, list)) {
    isCut = entries.length >= limit;
    if (isCut) break;
    const disobeyed = disobedience(list, entry.address, "string", protect);
    entries.push({ ...entry, ...(disobeyed && { disobeyed }) });
  }
  entries.sort((a, b) => compare(a.address, b.address));
  const more = `${entries.length} shown, and there are more: --limit all shows everything.`;
  const sum = isCut ? more : `${counted(entries.length, "entry", "entries")} on the ${list}.`;
  return {
    lines: [...table(entries, now()), sum],
    json: { list, entries: entries.map(entryToJson), more: isCut },
  };
}

async function showFound(
  session: Session,
  list: ListName,
  limit: number,
  address: Ip | Cidr,
): Promise<Report> {
  const found = await search(session.redis, address, session.protectedRanges);
  const here = [...found.covering, ...found.inside].filter((entry) => entry.list === list);
  const entries = here.slice(0, limit);
  const isCut = entries.length < here.length || found.inside.length < found.insideCount;
  const cut = isCut ? ["There are more; sluice's export has them all."] : [];
  const { decisive } = found;
  return {
    lines: [...table(entries, session.now()), ...cut, sayDecisive(found, list, entries.length)],
    json: {
      ...{ list, address: found.address, entries: entries.map(entryToJson), more: isCut },
      decisive: decisive ? { list: decisive.list, address: decisive.address } : null,
    },
  };
}

function sayDecisive({ address, decisive }: Found, list: ListName, shown: number): string {
  const none = shown === 0 ? `Nothing on the ${list} touches ${address}. ` : "";
  if (!decisive) return `${none}No entry in force covers all of ${address}.`;
  const which = decisive.address === address ? "its own entry" : `the entry ${decisive.address}`;
  return `${none}For ${address}, ${which} on the ${decisive.list} decides.`;
}

function table(entries: readonly Entry[], now: number): string[] {
  if (entries.length === 0) return [];
  return columns([
    ["ADDRESS", "UNTIL", "LEFT", "BY", "REASON"],
    ...entries.map((entry) => entryRow(entry, now)),
  ]);
}

/** IPv4 first, then by number. */
function compare(x: Ip | Cidr, y: Ip | Cidr): number {
  const [left, right] = [blockOf(x), blockOf(y)];
  const words = (["a", "b", "c", "d"] as const).map((word) => (left[word] >>> 0) - (right[word] >>> 0));
  return [left.family - right.family, ...words, left.length - right.length].find((order) => order !== 0) ?? 0;
}
