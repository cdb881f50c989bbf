import { type Block, format, widened, widestEntry } from "../../ip/block.ts";
import { ByteReader, ByteWriter } from "../../ip/packed-ranges.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import { PrefixTable } from "../../ip/prefix-table.ts";
import type { RangeList } from "../../ip/range-list.ts";
import {
  type Copy,
  endsDifferMs,
  isAnotherEnd,
  type Packed,
  packedEnd,
  unpackedEnd,
} from "../../redis/copy.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import type { FeedLists, FeedMatch } from "./feeds.ts";
import { isEnforced } from "./lockout.ts";
import { type BanLengths, bannedBlock, isBanLife, isBanOf, noBanLengths } from "./pending-ban.ts";

/** What a list says of an address: the most specific entry that is enforced. */
export interface EntryLists {
  match(list: ListName, client: Block): Ip | Cidr | undefined;
}

/** Entries, and feeds. */
export interface Lists extends EntryLists, Pick<FeedLists, "feedOf" | "writerOf"> {}

/** Bans have a table of their own: when a ban becomes an entry, its key goes and the entry stays. */
type Tables = Record<ListName | "bans", PrefixTable>;

const tableNames = [...listNames, "bans"] as const;

/**
 * Both lists in memory, so that a check costs no round trip. Redis does not announce expiry, so each entry carries the
 * moment it ends, on this process' monotonic clock.
 */
export class Replica implements Copy, Lists {
  #tables: Tables = emptyTables();
  #fresh: Tables | undefined;
  readonly #feeds: FeedLists;
  #protected: RangeList;
  #banLengths = noBanLengths;

  constructor(protectedRanges: RangeList, feeds: FeedLists) {
    this.#protected = protectedRanges;
    this.#feeds = feeds;
  }

  feedOf(client: Block): FeedMatch | undefined {
    return this.#feeds.feedOf(client);
  }

  writerOf(entry: Ip | Cidr, client: Block): FeedMatch | undefined {
    return this.#feeds.writerOf(entry, client);
  }

  get entries(): Record<ListName, number> {
    const { safelist, blocklist, bans } = this.#tables;
    return { safelist: safelist.size, blocklist: blocklist.size + bans.size };
  }

  protect(ranges: RangeList): void {
    this.#protected = ranges;
  }

  /** What the policy in force bans. */
  enforceBansOf(lengths: BanLengths): void {
    this.#banLengths = lengths;
  }

  match(list: ListName, client: Block): Ip | Cidr | undefined {
    const { bans, [list]: table } = this.#tables;
    return table.size === 0 && bans.size === 0 ? undefined : this.#nearest(list, client);
  }

  /** Apart from the check for empty tables, which then costs no memory: most requests need no more. */
  #nearest(list: ListName, client: Block): Ip | Cidr | undefined {
    const { bans, [list]: table } = this.#tables;
    const isInForce = (endsAt: number, length: number) =>
      endsAt > performance.now() && isEnforced(list, widened(client, length), this.#protected);
    const found = table.match(client, isInForce);
    if (list === "safelist" || bans.size === 0) return found && format(found.block);
    const { family } = client;
    const ban = bans.match(
      client,
      (endsAt, length) => isInForce(endsAt, length) && isBanOf(this.#banLengths, { family, length }),
    );
    const nearest = ban && found && found.block.length > ban.block.length ? found : (ban ?? found);
    return nearest && format(nearest.block);
  }

  holds(key: string): boolean {
    return tableOf(key) !== undefined;
  }

  begin(): void {
    this.#fresh = emptyTables();
  }

  load(key: string, ttlMs: number): void {
    if (this.#fresh) write(this.#fresh, key, ttlMs);
  }

  put(key: string, ttlMs: number): void {
    write(this.#tables, key, ttlMs);
    this.load(key, ttlMs);
  }

  review(key: string, ttlMs: number): boolean {
    const place = placeOf(key);
    if (!place) return false;
    const before = this.#tables[place.table].get(place.block);
    this.put(key, ttlMs);
    return isAnotherEnd(before, this.#tables[place.table].get(place.block));
  }

  /** Frees the memory of entries that have ended, a part of the tables at a time. They are not enforced before that. */
  dropEnded(): void {
    const now = performance.now();
    for (const table of Object.values(this.#tables)) table.sweep((endsAt) => endsAt <= now);
  }

  *missing(): Generator<readonly string[]> {
    const fresh = this.#fresh;
    if (!fresh) return;
    for (const name of tableNames)
      for (let slice = 0; slice < PrefixTable.slices; slice++) yield this.#missingOf(fresh, name, slice);
  }

  finish(): void {
    this.#tables = this.#fresh ?? this.#tables;
    this.#fresh = undefined;
  }

  *pack(since: number): Generator<Packed> {
    const now = performance.now();
    for (const [place, name] of tableNames.entries()) {
      const [v4, v6] = [new EntryPiece(place, 4), new EntryPiece(place, 6)];
      const table = this.#tables[name];
      for (let slice = 0; slice < PrefixTable.slices; slice++) {
        table.forEachOf(slice, (block, endsAt) => {
          if (endsAt > now) (block.family === 4 ? v4 : v6).add(block, packedEnd(endsAt, since));
        });
        for (const piece of [v4, v6]) if (piece.isFull) yield piece.take();
      }
      for (const piece of [v4, v6]) if (piece.keys > 0) yield piece.take();
    }
  }

  unpack(bytes: Uint8Array, since: number): number | undefined {
    const from = new ByteReader(bytes);
    const name = tableNames[from.byte()];
    const family = from.byte();
    if (!this.#fresh || !name || (family !== 4 && family !== 6)) return undefined;
    const table = this.#fresh[name];
    const now = performance.now();
    let keys = 0;
    for (; from.hasMore; keys++) {
      const block = readPackedBlock(from, family);
      const endsAt = unpackedEnd(from.number(), since);
      if (from.isBeyond || block.length > wholeLength[family]) return undefined;
      if (endsAt > now) table.set(block, endsAt);
    }
    return keys;
  }

  #missingOf(fresh: Tables, name: keyof Tables, slice: number): string[] {
    const soon = performance.now() + endsDifferMs;
    const missing: string[] = [];
    this.#tables[name].forEachOf(slice, (block, endsAt) => {
      if (endsAt > soon && fresh[name].get(block) === undefined) missing.push(keyOf(name, block));
    });
    return missing;
  }
}

const wholeLength = { 4: 32, 6: 128 } as const;
/** Bytes of a piece, about: 5,000 to 10,000 entries. */
const fullPiece = 65_536;

/** Entries of one table and family: the words of each, its length, and its end. In no order, as the table has them. */
class EntryPiece {
  readonly #place: number;
  readonly #family: 4 | 6;
  #to = new ByteWriter();
  keys = 0;

  constructor(place: number, family: 4 | 6) {
    this.#place = place;
    this.#family = family;
  }

  get isFull(): boolean {
    return this.#to.size >= fullPiece;
  }

  add({ a, b, c, d, length }: Block, end: number): void {
    if (this.keys++ === 0) {
      this.#to.put(this.#place);
      this.#to.put(this.#family);
    }
    this.#to.word(a);
    if (this.#family === 6) {
      this.#to.word(b);
      this.#to.word(c);
      this.#to.word(d);
    }
    this.#to.put(length);
    this.#to.number(end);
  }

  /** The next entry begins another piece. */
  take(): Packed {
    const taken = { bytes: this.#to.written(), keys: this.keys };
    this.#to = new ByteWriter();
    this.keys = 0;
    return taken;
  }
}

function readPackedBlock(from: ByteReader, family: 4 | 6): Block {
  const a = from.word();
  if (family === 4) return { family, a, b: 0, c: 0, d: 0, length: from.byte() };
  return { family, a, b: from.word(), c: from.word(), d: from.word(), length: from.byte() };
}

function emptyTables(): Tables {
  return { safelist: new PrefixTable(), blocklist: new PrefixTable(), bans: new PrefixTable() };
}

function write(tables: Tables, key: string, ttlMs: number): void {
  const place = placeOf(key);
  if (!place) return;
  const table = tables[place.table];
  if (ttlMs === -2 || (place.table === "bans" && !isBanLife(ttlMs))) table.delete(place.block);
  else table.set(place.block, ttlMs === -1 ? Number.POSITIVE_INFINITY : performance.now() + ttlMs);
}

function placeOf(key: string): { table: keyof Tables; block: Block } | undefined {
  const table = tableOf(key);
  if (table === undefined) return undefined;
  const block = table === "bans" ? bannedBlock(key) : entryBlock(key.slice(keys.entryPrefix(table).length));
  return block && { table, block };
}

function keyOf(table: keyof Tables, block: Block): string {
  const address = format(block);
  return table === "bans" ? keys.ban(address) : keys.entry(table, address);
}

/** A foreign writer may spell anything; what is not canonical, or too wide, is flagged elsewhere and not enforced. */
function entryBlock(text: string): Block | undefined {
  const block = isCanonical(text) ? blockOf(text) : undefined;
  return block && block.length >= widestEntry[block.family] ? block : undefined;
}

function tableOf(key: string): keyof Tables | undefined {
  if (key.startsWith(keys.banPrefix())) return "bans";
  return listNames.find((list) => key.startsWith(keys.entryPrefix(list)));
}
