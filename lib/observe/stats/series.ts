import { at, madeOnce } from "../../at.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { countsByApp, type Field, fields, readField, ruleNames } from "../../enforce/stats/fields.ts";
import type { Resolution } from "../../enforce/stats/report.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { repliesOf } from "../../redis/script.ts";

/** The counts of one app in one bucket, by field. */
export type FieldCounts = ReadonlyMap<string, number>;

export interface Bucket {
  /** When it begins, in ms of Redis' clock. */
  readonly at: number;
  readonly apps: ReadonlyMap<string, FieldCounts>;
}

/** By then every node has reported what belongs into a bucket. */
const settledAfterMs = 3_000;
/** The same where Redis paused: a second that no node has reported yet may be reported late. */
const surelySettledAfterMs = 30_000;
/** More than a page shows, of each resolution. */
const keptBuckets = 2_000;

/**
 * The fleet's counts, bucket by bucket. A bucket that is over is read once and kept, so that polling by any number of pages
 * costs what is new.
 */
export class Series {
  readonly #redis: Connection;
  readonly #settled: Readonly<Record<Resolution, Map<number, Bucket>>> = {
    1: new Map(),
    10: new Map(),
    60: new Map(),
    3600: new Map(),
  };

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  /** @param untilMs of Redis' clock; the bucket it lies in is the last */
  async read(resolution: Resolution, count: number, untilMs: number): Promise<Bucket[]> {
    const last = Math.floor(untilMs / 1_000 / resolution);
    const first = last - count + 1;
    const settled = this.#settled[resolution];
    // Taken before the fetch: another caller may drop what it does not need.
    const buckets = Array.from({ length: count }, (_, i) => settled.get(first + i));
    const wanted = buckets.flatMap((bucket, i) => (bucket ? [] : [first + i]));
    const found = await this.#fetch(resolution, wanted);
    for (const [i, index] of wanted.entries()) {
      const bucket = at(found, i);
      const isReported = knownSeconds(bucket, resolution) >= resolution;
      const settledAt =
        (index + 1) * resolution * 1_000 + (isReported ? settledAfterMs : surelySettledAfterMs);
      if (settledAt <= untilMs) settled.set(index, bucket);
    }
    for (const index of settled.keys()) if (index < last - keptBuckets) settled.delete(index);
    let next = 0;
    return buckets.map((bucket) => bucket ?? at(found, next++));
  }

  async #fetch(resolution: Resolution, indexes: readonly number[]): Promise<Bucket[]> {
    if (indexes.length === 0) return [];
    const pipeline = this.#redis.pipeline();
    for (const index of indexes) pipeline.hgetall(keys.series(resolution, index));
    const hashes = await repliesOf(pipeline);
    return indexes.map((index, i) => ({
      at: index * resolution * 1_000,
      apps: countsByApp(at(hashes, i)),
    }));
  }
}

/** Several buckets' counts of a field, for one app or all. */
export function sumOf(buckets: readonly Bucket[], field: string, app?: string): number {
  let sum = 0;
  for (const { apps } of buckets) {
    if (app !== undefined) sum += apps.get(app)?.get(field) ?? 0;
    else for (const counts of apps.values()) sum += counts.get(field) ?? 0;
  }
  return sum;
}

/** The number of a bucket's seconds in which a node reported, even if there was no request. */
export function knownSeconds({ apps }: Bucket, resolution: Resolution, app?: string): number {
  let most = 0;
  for (const [name, counts] of apps) {
    if (app !== undefined && name !== app) continue;
    // Counts without their seconds are an older node's.
    most = Math.max(most, counts.get(fields.seconds) ?? (counts.size > 0 ? resolution : 0));
  }
  return most;
}

export interface RuleCounts {
  readonly rule: string;
  readonly denied: number;
  /** Would have been denied if the rule were not in shadow. */
  readonly shadowed: number;
  /** Matched by an exempt rule, also in shadow. */
  readonly exempt: number;
  /** Passed above its limits, by its slack. */
  readonly over: number;
  /** Of a limit that code names: how often it was checked. */
  readonly checked: number;
}

/** Of the last minutes, of all apps. @param policy whose rules they are */
export async function readRuleCounts(
  series: Pick<Series, "read">,
  {
    policy,
    minutes,
    nowMs,
  }: {
    readonly policy: Pick<Policy, "rules" | "requestRules">;
    readonly minutes: number;
    readonly nowMs: number;
  },
): Promise<RuleCounts[]> {
  const names = ruleNames(policy);
  const rules = new Map<string, Record<Exclude<keyof RuleCounts, "rule">, number>>();
  for (const { apps } of await series.read(60, minutes, nowMs))
    for (const counts of apps.values())
      for (const [text, count] of counts) {
        const field = readField(text, names);
        const name = field && summed[field.kind];
        if (!name || !("rule" in field)) continue;
        madeOnce(rules, field.rule, () => ({ ...noCounts }))[name] += count;
      }
  return [...rules].map(([rule, sum]) => ({ rule, ...sum }));
}

const summed: Readonly<Partial<Record<Field["kind"], Exclude<keyof RuleCounts, "rule">>>> = {
  ...{ denied: "denied", shadow: "shadowed", exempt: "exempt", over: "over", checked: "checked" },
};
const noCounts = { denied: 0, shadowed: 0, exempt: 0, over: 0, checked: 0 };
