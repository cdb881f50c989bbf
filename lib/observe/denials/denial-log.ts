import { denialLogHourMs, mostDenialsOfHour } from "../../enforce/stats/report.ts";
import { covers } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, readBlock } from "../../ip/parse.ts";
import { mostRetentionDays, readRetentionDays } from "../../manage/denials/retention.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { repliesOf } from "../../redis/script.ts";
import { type FeedItem, readSample } from "../stats/feed.ts";
import { type Series, sumOf } from "../stats/series.ts";

export interface DenialFilter {
  /** Ms of Redis' clock. */
  readonly from: number;
  readonly to: number;
  /** An address, or a range around it. */
  readonly client?: Ip | Cidr | undefined;
  readonly customer?: string | undefined;
  readonly app?: string | undefined;
  /** A part of what decided: the name of a rule, an address of an entry, a feed. */
  readonly rule?: string | undefined;
  /** A part of the path. */
  readonly path?: string | undefined;
  readonly outcome?: "blocked" | "throttled" | undefined;
}

export interface DenialPage {
  /** The newest first. */
  readonly items: readonly FeedItem[];
  /** Where the next page begins. Undefined at the end. */
  readonly next: string | undefined;
}

/** How much of the denials of a time the log has, whatever the filter. */
export interface LogCompleteness {
  /** Of the hours that the time touches. */
  readonly kept: number;
  /** Undefined where statistics no longer have an hour. */
  readonly total: number | undefined;
  /** Earlier denials are not kept. */
  readonly since: number;
  readonly retentionDays: number;
}

/** A place in the log: the last denial that was shown, by its time and its number among those of the same millisecond. */
export interface LogCursor {
  readonly at: number;
  readonly place: number;
}

/** Undefined for a text that is no cursor. */
export function parseCursor(text: string): LogCursor | undefined {
  const [, ms, place] = /^(\d{1,16})\.(\d{1,6})$/.exec(text) ?? [];
  return ms === undefined ? undefined : { at: Number(ms), place: Number(place) };
}

const textsAtOnce = 200;
const dayMs = 86_400_000;
/** As long as statistics keep an hour. */
const countedForMs = 8 * dayMs;

/** Denials of the log, newest first. */
export async function readDenials(
  redis: Connection,
  filter: DenialFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: LogCursor | undefined },
): Promise<DenialPage> {
  const items: FeedItem[] = [];
  for await (const item of walkDenials(redis, filter, cursor)) {
    items.push(item);
    if (items.length > limit) break;
  }
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  const isMore = items.length > limit && last !== undefined;
  return { items: shown, next: isMore ? last.id : undefined };
}

/** All of them, newest first: an export reads as fast as it is taken. */
export async function* walkDenials(
  redis: Connection,
  filter: DenialFilter,
  cursor?: LogCursor,
): AsyncGenerator<FeedItem> {
  // This clock may be an hour behind Redis'. No hour is kept longer than a month, whatever time is asked for.
  const latest = Math.min(cursor?.at ?? filter.to, Date.now() + denialLogHourMs);
  const last = Math.floor(latest / denialLogHourMs);
  const first = Math.max(Math.floor(filter.from / denialLogHourMs), last - 24 * (mostRetentionDays + 1));
  const isWanted = matcherOf(filter);
  const breathe = breathing();
  for (let hour = last; hour >= first; hour--)
    for (const item of await newestFirst(await textsOf(redis, hour), breathe)) {
      await breathe();
      if (isAfter(item.id, cursor) && isWanted(item)) yield item;
    }
}

/** In pieces, because a reply is parsed in one turn. What comes in between shifts places, so a text may be read twice. */
async function textsOf(redis: Connection, hour: number): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for (let from = 0; ; from += textsAtOnce) {
    const piece = await redis.zrange(keys.denialLog(hour), from, String(from + textsAtOnce - 1));
    for (const text of piece) texts.add(text);
    if (piece.length < textsAtOnce) return texts;
  }
}

/** A text is in the set once, so those of one millisecond always have the same order. */
async function newestFirst(texts: Iterable<string>, breathe: () => Promise<void>): Promise<FeedItem[]> {
  const found: FeedItem[] = [];
  for (const text of texts) {
    await breathe();
    const item = readSample(text, text);
    if (item) found.push(item);
  }
  found.sort((one, other) => other.at - one.at || (one.id < other.id ? -1 : 1));
  let place = 0;
  return found.map((item, i) => {
    place = found[i - 1]?.at === item.at ? place + 1 : 0;
    return { ...item, id: `${item.at}.${place}` };
  });
}

function isAfter(id: string, cursor: LogCursor | undefined): boolean {
  const place = cursor && parseCursor(id);
  if (!cursor || !place) return true;
  return place.at < cursor.at || (place.at === cursor.at && place.place > cursor.place);
}

function matcherOf(filter: DenialFilter): (item: FeedItem) => boolean {
  const { from, to, client, customer, app, rule, path = "", outcome } = filter;
  const range = client === undefined ? undefined : blockOf(client);
  return (item) => {
    if (item.at < from || item.at > to || (outcome !== undefined && item.outcome !== outcome)) return false;
    if (customer !== undefined && item.customerId !== customer) return false;
    if (app !== undefined && item.app !== app) return false;
    if (rule !== undefined && !item.rule.includes(rule)) return false;
    if (!item.path.includes(path)) return false;
    if (!range) return true;
    const block = readBlock(item.ip);
    return block !== undefined && covers(range, block);
  };
}

/** How many denials of a time the log has, of how many. */
export async function readCompleteness(
  { redis, series }: { readonly redis: Connection; readonly series: Series },
  { from, to, nowMs }: { readonly from: number; readonly to: number; readonly nowMs: number },
): Promise<LogCompleteness> {
  const retentionDays = await readRetentionDays(redis);
  const since = Math.floor((nowMs - retentionDays * dayMs) / denialLogHourMs) * denialLogHourMs;
  const first = Math.floor(Math.max(from, since) / denialLogHourMs);
  const count = Math.max(0, Math.floor(Math.min(to, nowMs) / denialLogHourMs) - first + 1);
  const pipeline = redis.pipeline();
  for (let i = 0; i < count; i++) pipeline.zcard(keys.denialLog(first + i));
  const sizes = count === 0 ? [] : await repliesOf(pipeline);
  const kept = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
  const isCounted = Math.max(from, since) > nowMs - countedForMs;
  const buckets = isCounted && count > 0 ? await series.read(3_600, count, Math.min(to, nowMs)) : [];
  const total = sumOf(buckets, "blocked") + sumOf(buckets, "throttled");
  // The node's second is counted after its samples.
  return { kept, total: isCounted ? Math.max(total, kept) : undefined, since, retentionDays };
}

/** "1,000 of about 6,000 denials of these hours are kept: a random sample of at most 1,000 an hour." */
export function sayCompleteness({ kept, total }: Pick<LogCompleteness, "kept" | "total">): string {
  const count = (value: number) => value.toLocaleString("en-US");
  if (total === undefined)
    return `${count(kept)} denials of these hours are kept. How many there were is no longer known.`;
  if (total === 0) return "No denial was counted in these hours.";
  if (kept >= total) return `All ${count(kept)} denials of these hours are kept.`;
  return `${count(kept)} of about ${count(total)} denials of these hours are kept: a random sample of at most ${count(mostDenialsOfHour)} an hour.`;
}
