import { type Block, format, widened, widestEntry } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "../ip/parse.ts";
import { PrefixTable } from "../ip/prefix-table.ts";
import type { RangeList } from "../ip/range-list.ts";
import type { Copy } from "../redis/copy.ts";
import { keys, type ListName, listNames } from "../redis/keys.ts";
import { isObeyed } from "./lockout.ts";

/** What a list says of an address: the most specific entry that bites, or nothing. */
export interface Lists {
  match(list: ListName, client: Block): Ip | Cidr | undefined;
}

type Tables = Record<ListName, PrefixTable>;

/** One slice a turn, so that the whole table is swept four times a minute. */
const sweepEveryMs = 50;

/**
 * Both lists in memory, so that a check costs no round trip. Redis does not announce expiry, so each entry carries the
 * moment it ends, on this process' monotonic clock.
 */
export class Replica implements Copy, Lists {
  #tables: Tables = emptyTables();
  #fresh: Tables | undefined;
  #protected: RangeList;
  readonly #sweeper: NodeJS.Timeout;

  constructor(protectedRanges: RangeList) {
    this.#protected = protectedRanges;
    this.#sweeper = setInterval(() => this.#sweep(), sweepEveryMs).unref();
  }

  get entries(): Record<ListName, number> {
    return { safelist: this.#tables.safelist.size, blocklist: this.#tables.blocklist.size };
  }

  protect(ranges: RangeList): void {
    this.#protected = ranges;
  }

  match(list: ListName, client: Block): Ip | Cidr | undefined {
    const now = performance.now();
    const found = this.#tables[list].match(
      client,
      (endsAt, length) => endsAt > now && isObeyed(list, widened(client, length), this.#protected),
    );
    return found && format(found.block);
  }

  holds(key: string): boolean {
    return listOf(key) !== undefined;
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

  finish(): void {
    this.#tables = this.#fresh ?? this.#tables;
    this.#fresh = undefined;
  }

  close(): void {
    clearInterval(this.#sweeper);
  }

  #sweep(): void {
    const now = performance.now();
    for (const list of listNames) this.#tables[list].sweep((endsAt) => endsAt <= now);
  }
}

function emptyTables(): Tables {
  return { safelist: new PrefixTable(), blocklist: new PrefixTable() };
}

function write(tables: Tables, key: string, ttlMs: number): void {
  const list = listOf(key);
  const block = list && entryBlock(key.slice(keys.entryPrefix(list).length));
  if (!list || !block) return;
  if (ttlMs === -2) tables[list].delete(block);
  else tables[list].set(block, ttlMs === -1 ? Number.POSITIVE_INFINITY : performance.now() + ttlMs);
}

/** A foreign writer may spell anything; what is not canonical, or too wide, is flagged elsewhere and not obeyed. */
function entryBlock(text: string): Block | undefined {
  const block = isCanonical(text) ? blockOf(text) : undefined;
  return block && block.length >= widestEntry[block.family] ? block : undefined;
}

function listOf(key: string): ListName | undefined {
  return listNames.find((list) => key.startsWith(keys.entryPrefix(list)));
}
