import { errorLine } from "../../errors.ts";
import { type Block, format } from "../../ip/block.ts";
import { PackedRanges } from "../../ip/packed-ranges.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { type RangeList, rangeList } from "../../ip/range-list.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { parseObject } from "./entry.ts";
import { type ProtectedRange, readNeverBlock } from "./protected.ts";

/** What a node reads of a feed. The rest of its definition is for the console. */
export interface EnforcedFeed {
  readonly id: string;
  readonly list: ListName;
  /** It denies nothing, and counts the requests that it would deny. */
  readonly isShadowed: boolean;
  /** Names the packed ranges. Undefined before the first refresh. */
  readonly digest: string | undefined;
  /** Its ranges are also entries of the blocklist, for programs that know no feeds. */
  readonly hasKeys: boolean;
}

/** A feed's range around a client. */
export interface FeedMatch {
  readonly list: ListName;
  readonly feed: string;
  readonly range: Ip | Cidr;
}

/** A feed that has a client, also one that does not decide. */
export interface FeedAround extends FeedMatch {
  readonly isShadowed: boolean;
  /** Why the feed is not enforced for this client. */
  readonly notEnforcedBecause?: string | undefined;
}

/** What feeds say of a client. An entry of a list is looked up first, and decides. */
export interface FeedLists {
  isInFeed(feed: string, client: Block): boolean;
  /** No entry, no feed and no rule denies it. */
  isProtected(client: Block): boolean;
  /** The feed that decides. A safelist feed comes before those of the blocklist. */
  feedOf(client: Block): FeedMatch | undefined;
  /** The feed that an entry of the blocklist was written for: it decides in place of the entry. */
  writerOf(entry: Ip | Cidr, client: Block): FeedMatch | undefined;
  feedsAround(client: Block): readonly FeedAround[];
}

/** The format of feeds that nodes report, so that those that ignore feeds are known. */
export const feedsFormat = 1;

/** A feed is named so in verdicts and statistics. */
export const feedText = (id: string) => `feed:${id}`;

/** Half of the IPv4 addresses in one feed are a mistake. */
export const mostAddresses = 2 ** 31;

/** Reads a field of the hash of feeds, which any program may have written. Undefined for a paused feed, and for another text. */
export function readEnforcedFeed(id: string, text: string): EnforcedFeed | undefined {
  const { list, mode, isPaused, contents, keysTtlMs } = parseObject(text) ?? {};
  const known = listNames.find((name) => name === list);
  if (!known || isPaused === true || (mode !== "enforce" && mode !== "shadow")) return undefined;
  const { digest } = (typeof contents === "object" && contents) as { digest?: unknown };
  const isShadowed = mode === "shadow";
  const hasKeys = typeof keysTtlMs === "number";
  return { id, list: known, isShadowed, digest: typeof digest === "string" ? digest : undefined, hasKeys };
}

interface LoadedFeed extends EnforcedFeed {
  readonly ranges: PackedRanges;
}

const refusal = /\bNOPERM\b|ACL failure/;
const noNames: readonly string[] = Object.freeze([]);

/** Feeds in memory. Each is read in one piece, when its definition names other contents than before. */
export class Feeds implements FeedLists {
  readonly #log: (line: string) => void;
  #protected: RangeList = rangeList([]);
  #feeds: readonly LoadedFeed[] = [];
  /** The same by what becomes of a match. Safelist feeds first. */
  #enforced: readonly LoadedFeed[] = [];
  #shadowed: readonly LoadedFeed[] = [];
  #reading: Promise<void> = Promise.resolve();
  #isRefused = false;
  /** What the last reading logged: the next one does not repeat it. */
  #logged: Set<string> = new Set();

  constructor(log: (line: string) => void = () => {}) {
    this.#log = log;
  }

  /** Whether this account may not read what feeds have. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** False for most nodes, which then look nothing up. */
  get hasShadow(): boolean {
    return this.#shadowed.length > 0;
  }

  /** Ranges in force, with those in shadow. */
  get size(): number {
    return this.#feeds.reduce((sum, { ranges }) => sum + ranges.size, 0);
  }

  protect(ranges: RangeList): void {
    this.#protected = ranges;
  }

  feedOf(client: Block): FeedMatch | undefined {
    for (const { id, list, ranges } of this.#enforced) {
      const range = ranges.covering(client);
      if (range && (list === "safelist" || !this.#protected.overlapping(client)))
        return { list, feed: id, range: format(range) };
    }
    return undefined;
  }

  writerOf(entry: Ip | Cidr, client: Block): FeedMatch | undefined {
    for (const { id, list, ranges, hasKeys } of this.#enforced) {
      const range = hasKeys ? ranges.covering(client) : undefined;
      if (range && list === "blocklist" && format(range) === entry) return { list, feed: id, range: entry };
    }
    return undefined;
  }

  isInFeed(feed: string, client: Block): boolean {
    for (const { id, ranges } of this.#feeds) if (id === feed) return ranges.covering(client) !== undefined;
    return false;
  }

  isProtected(client: Block): boolean {
    return this.#protected.overlapping(client) !== undefined;
  }

  /** Names of the feeds in shadow that would block the client. */
  shadowsOf(client: Block): readonly string[] {
    let names: string[] | undefined;
    for (const { id, list, ranges } of this.#shadowed) {
      if (list === "safelist" || !ranges.covering(client) || this.#protected.overlapping(client)) continue;
      names ??= [];
      names.push(feedText(id));
    }
    return names ?? noNames;
  }

  feedsAround(client: Block): readonly FeedAround[] {
    return this.#feeds.flatMap(({ id, list, isShadowed, ranges }) => {
      const range = ranges.covering(client);
      if (!range) return [];
      const hit = list === "blocklist" ? this.#protected.overlapping(client) : undefined;
      const notEnforcedBecause = hit && `${hit} is a protected range`;
      return [{ list, feed: id, range: format(range), isShadowed, notEnforcedBecause }];
    });
  }

  /** Reads what has changed. One reading at a time: the caller's view is never older than its call. */
  read(redis: Connection): Promise<void> {
    const reading = this.#reading.then(() => this.#read(redis));
    this.#reading = reading.catch(() => {});
    return reading;
  }

  async #read(redis: Connection): Promise<void> {
    const hash = await redis.hgetall(keys.feeds()).catch(unlessForeign);
    const wanted = Object.entries(hash)
      .flatMap(([id, text]) => readEnforcedFeed(id, text) ?? [])
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#isRefused = false;
    const logged = this.#logged;
    this.#logged = new Set();
    const loaded: LoadedFeed[] = [];
    for (const feed of wanted) loaded.push(await this.#load(redis, feed, logged));
    this.#feeds = loaded.filter(({ ranges }) => ranges.size > 0);
    const enforced = this.#feeds.filter(({ isShadowed }) => !isShadowed);
    this.#enforced = listNames.flatMap((name) => enforced.filter(({ list }) => list === name));
    this.#shadowed = this.#feeds.filter(({ isShadowed }) => isShadowed);
  }

  /** A feed that Redis does not give keeps what it had, with the digest of that: the next reading tries again. */
  async #load(redis: Connection, feed: EnforcedFeed, logged: ReadonlySet<string>): Promise<LoadedFeed> {
    const { id, digest } = feed;
    const before = this.#feeds.find((one) => one.id === id);
    if (digest === undefined) return { ...feed, ranges: PackedRanges.none };
    if (before?.digest === digest) return { ...feed, ranges: before.ranges };
    const rest = before ? "Its last contents stay in force." : "It is not enforced.";
    try {
      const bytes = await redis.getBuffer(keys.feedContents(id, digest));
      const ranges = bytes && (await readInTurns(bytes));
      if (ranges && ranges.addresses.v4 < mostAddresses) return { ...feed, ranges };
      this.#say(`${feedText(id)}: what Redis has of it cannot be used. ${rest}`, logged);
    } catch (error) {
      if (!(error instanceof Error && error.name === "ReplyError")) throw error;
      this.#isRefused ||= refusal.test(error.message);
      this.#say(`${feedText(id)}: Redis refuses to read it. ${rest} ${errorLine(error)}`, logged);
    }
    return { ...feed, digest: before?.digest, ranges: before?.ranges ?? PackedRanges.none };
  }

  #say(line: string, logged: ReadonlySet<string>): void {
    if (!logged.has(line)) this.#log(`sluice: ${line}`);
    this.#logged.add(line);
  }
}

/**
 * What feeds say of clients, as nodes know it now, for an explanation outside of a node.
 * @param feeds of an earlier call: what has not changed is not read again
 */
export async function readFeedLists(
  redis: Connection,
  protectedRanges: readonly ProtectedRange[],
  feeds = new Feeds(),
): Promise<FeedLists> {
  const [neverBlock] = await Promise.all([readNeverBlock(redis), feeds.read(redis)]);
  feeds.protect(rangeList([...protectedRanges, ...neverBlock].map(({ range }) => range)));
  return feeds;
}

async function readInTurns(bytes: Uint8Array): Promise<PackedRanges | undefined> {
  const steps = PackedRanges.reading(bytes);
  const breathe = breathing();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}

/** A key of another type holds no feeds. */
function unlessForeign(error: unknown): Record<string, string> {
  if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return {};
  throw error;
}
