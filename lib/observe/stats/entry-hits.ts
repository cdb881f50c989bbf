import { madeOnce } from "../../at.ts";
import { consoleApp } from "../../enforce/policy/match.ts";
import { fields } from "../../enforce/stats/fields.ts";
import { type HitResolution, hitResolutions } from "../../enforce/stats/report.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { listIn, repliesOf } from "../../redis/script.ts";
import { type Bucket, knownSeconds, type Series } from "./series.ts";

/** Requests that an entry decided. */
export interface EntryHits {
  /** Of the last hour. Undefined where they are unknown. */
  readonly hour: number | undefined;
  /** Of the last 24 h. */
  readonly day: number | undefined;
  /** Of each five minutes of the last hour, the oldest first. Empty without a known hit. */
  readonly recent: readonly number[];
}

/** The hits of the entries of one list. */
export interface ListHits {
  readonly asOf: number;
  /** From then on nodes reported in every minute, at most 24 h back. Undefined when no node reports. */
  readonly knownSince: number | undefined;
  /** Requests that entries decided, of which the entry is unknown: of earlier nodes, and of entries that are not among the busiest. */
  readonly unknown: { readonly hour: number; readonly day: number };
  /** Of entries with a known hit. */
  readonly byAddress: ReadonlyMap<string, { hour: number; day: number; recent: number[] }>;
}

/** Buckets that are read of each length: the first one is partly before the hour or the day. */
const spans = { 300: 13, 3600: 25 } as const satisfies Record<HitResolution, number>;
const outcomes = { blocklist: "blocked", safelist: "safelisted" } as const;
const minuteMs = 60_000;
/** By then every node has reported what belongs into a bucket. */
const settledAfterMs = 3_000;

type Counts = ReadonlyMap<string, number>;

/**
 * Reads which entries decided how many requests. Nodes keep the busiest entries apart, so an entry without a count has no hit only if
 * the counts of the others add up to the outcomes of the same time. A bucket that is over is read once and kept: 38 of each list,
 * with 1,333 entries at most.
 */
export class EntryHitsReader {
  readonly #redis: Connection;
  readonly #series: Pick<Series, "read">;
  /** By list and length, then by bucket. */
  readonly #settled = new Map<string, Map<number, Counts>>();

  constructor(redis: Connection, series: Pick<Series, "read">) {
    this.#redis = redis;
    this.#series = series;
  }

  async read(list: ListName, nowMs: number): Promise<ListHits> {
    const minutes = await this.#series.read(60, minutesOf(nowMs), nowMs);
    const [recent, hours] = await Promise.all(
      hitResolutions.map((length) => this.#counts(list, length, nowMs)),
    );
    const byAddress = new Map<string, { hour: number; day: number; recent: number[] }>();
    const of = (address: string) => {
      const known = byAddress.get(address) ?? { hour: 0, day: 0, recent: [] };
      byAddress.set(address, known);
      return known;
    };
    const breathe = breathing();
    for (const { counts } of hours ?? []) {
      await breathe();
      for (const [address, count] of counts) of(address).day += count;
    }
    for (const [i, { counts }] of (recent ?? []).entries()) {
      await breathe();
      for (const [address, count] of counts) {
        const hits = of(address);
        hits.hour += count;
        while (hits.recent.length < i) hits.recent.push(0);
        hits.recent.push(count);
      }
    }
    for (const hits of byAddress.values()) while (hits.recent.length < spans[300]) hits.recent.push(0);
    const unknownIn = (buckets: readonly HitBucket[] = []) => unknownOf(list, buckets, minutes);
    return {
      asOf: nowMs,
      knownSince: knownSince(minutes, nowMs),
      unknown: { hour: unknownIn(recent), day: unknownIn(hours) },
      byAddress,
    };
  }

  async #counts(list: ListName, length: HitResolution, nowMs: number): Promise<HitBucket[]> {
    const last = Math.floor(nowMs / 1_000 / length);
    const indexes = Array.from({ length: spans[length] }, (_, i) => last - spans[length] + 1 + i);
    const settled = madeOnce(this.#settled, `${list} ${length}`, () => new Map<number, Counts>());
    // Taken before the read: another caller may drop what it does not need.
    const known = new Map(indexes.map((index) => [index, settled.get(index)]));
    const missing = indexes.filter((index) => known.get(index) === undefined);
    const pipeline = this.#redis.pipeline();
    for (const index of missing) pipeline.zrange(keys.entryHits(length, index, list), 0, "-1", "WITHSCORES");
    const replies = await repliesOf(pipeline);
    for (const [i, index] of missing.entries()) {
      const counts = readCounts(listIn(replies[i]));
      known.set(index, counts);
      if ((index + 1) * length * 1_000 + settledAfterMs <= nowMs) settled.set(index, counts);
    }
    for (const index of settled.keys()) if (index <= last - spans[length]) settled.delete(index);
    return indexes.map((index) => ({
      ...{ from: index * length * 1_000, until: (index + 1) * length * 1_000 },
      counts: known.get(index) ?? new Map(),
    }));
  }
}

interface HitBucket {
  readonly from: number;
  readonly until: number;
  readonly counts: Counts;
}

/** What is known of one entry. */
export function hitsOf({ knownSince, unknown, byAddress }: ListHits, address: string): EntryHits {
  const { hour = 0, day = 0, recent = [] } = byAddress.get(address) ?? {};
  const isKnown = (span: "hour" | "day") => knownSince !== undefined && unknown[span] === 0;
  return {
    hour: hour > 0 || isKnown("hour") ? hour : undefined,
    day: day > 0 || isKnown("day") ? day : undefined,
    recent: hour > 0 ? recent : [],
  };
}

function readCounts(flat: readonly unknown[]): Counts {
  const counts = new Map<string, number>();
  for (let i = 0; i + 1 < flat.length; i += 2) counts.set(String(flat[i]), Number(flat[i + 1]));
  return counts;
}

/** Minutes from the beginning of the first hour on. */
function minutesOf(nowMs: number): number {
  const hour = Math.floor(nowMs / minuteMs / 60) - spans[3_600] + 1;
  return Math.floor(nowMs / minuteMs) - 60 * hour + 1;
}

/** Bucket by bucket: what one has too much says nothing of another. */
function unknownOf(list: ListName, buckets: readonly HitBucket[], minutes: readonly Bucket[]): number {
  let sum = 0;
  for (const { from, until, counts } of buckets) {
    let decided = 0;
    for (const { at, apps } of minutes) {
      if (at < from || at >= until) continue;
      for (const [app, counts] of apps) if (app !== consoleApp) decided += decidedByEntries(list, counts);
    }
    for (const count of counts.values()) decided -= count;
    sum += Math.max(0, decided);
  }
  return sum;
}

function decidedByEntries(list: ListName, counts: ReadonlyMap<string, number>): number {
  const unlisted = list === "blocklist" ? (counts.get(fields.unlisted) ?? 0) : 0;
  return (counts.get(outcomes[list]) ?? 0) - unlisted;
}

/** Apps that report, without the console: its requests are not counted. */
function knownSince(minutes: readonly Bucket[], nowMs: number): number | undefined {
  let since: number | undefined;
  for (const bucket of minutes.toReversed()) {
    // The running minute, and the one before it in its first seconds, may have no report yet.
    if (bucket.at + minuteMs + settledAfterMs > nowMs && !isReported(bucket)) continue;
    if (!isReported(bucket)) break;
    since = bucket.at;
  }
  return since;
}

function isReported(bucket: Bucket): boolean {
  const apps = new Map([...bucket.apps].filter(([app]) => app !== consoleApp));
  return knownSeconds({ ...bucket, apps }, 60) > 0;
}
