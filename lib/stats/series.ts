import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { type Resolution, resolutions, secondsField } from "./report.ts";

/** What one app counted in one bucket, by field. */
export type Counts = ReadonlyMap<string, number>;

export interface Bucket {
  /** When it begins, in ms of Redis' clock. */
  readonly at: number;
  readonly apps: ReadonlyMap<string, Counts>;
}

/** By then every node has told what belongs into a bucket. */
const settledAfterMs = 3_000;
/** More than anybody looks at, of each resolution. */
const keptBuckets = 2_000;

/**
 * What the fleet counted, bucket by bucket. A bucket that is over is read once and kept, so that what is asked again and again, by
 * however many, costs what is new.
 */
export class Series {
  readonly #redis: Connection;
  readonly #settled = new Map<Resolution, Map<number, Bucket>>(resolutions.map((one) => [one, new Map()]));

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  /** @param untilMs of Redis' clock; the bucket it lies in is the last */
  async read(resolution: Resolution, count: number, untilMs: number): Promise<Bucket[]> {
    const last = Math.floor(untilMs / 1_000 / resolution);
    const first = last - count + 1;
    const settled = this.#settled.get(resolution) ?? new Map<number, Bucket>();
    // Taken before anything is waited for: others may drop what they no longer need.
    const buckets = Array.from({ length: count }, (_, i) => settled.get(first + i));
    const wanted = buckets.flatMap((bucket, i) => (bucket ? [] : [first + i]));
    const found = await this.#fetch(resolution, wanted);
    wanted.forEach((index, i) => {
      const bucket = found[i];
      buckets[index - first] = bucket;
      if (bucket && (index + 1) * resolution * 1_000 + settledAfterMs <= untilMs) settled.set(index, bucket);
    });
    for (const index of settled.keys()) if (index < last - keptBuckets) settled.delete(index);
    return buckets.map((bucket, i) => bucket ?? { at: (first + i) * resolution * 1_000, apps: new Map() });
  }

  async #fetch(resolution: Resolution, indexes: readonly number[]): Promise<Bucket[]> {
    if (indexes.length === 0) return [];
    const pipeline = this.#redis.pipeline();
    for (const index of indexes) pipeline.hgetall(keys.series(resolution, index));
    const answers = (await pipeline.exec()) ?? [];
    return indexes.map((index, i) => {
      const [error, hash] = answers[i] ?? [];
      if (error) throw error;
      return { at: index * resolution * 1_000, apps: byApp(hash) };
    });
  }
}

function byApp(hash: unknown): Map<string, Map<string, number>> {
  const apps = new Map<string, Map<string, number>>();
  for (const [field, text] of Object.entries(hash ?? {})) {
    const at = field.indexOf("\0");
    const count = Number(text);
    if (at < 0 || !Number.isFinite(count)) continue;
    const app = field.slice(0, at);
    const counts = apps.get(app) ?? new Map<string, number>();
    apps.set(app, counts.set(field.slice(at + 1), count));
  }
  return apps;
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

/** Of how many of a bucket's seconds some node has told, if only that nothing happened. */
export function knownSeconds({ apps }: Bucket, resolution: Resolution, app?: string): number {
  let most = 0;
  for (const [name, counts] of apps) {
    if (app !== undefined && name !== app) continue;
    // What counts without saying for how long was told by an older node.
    most = Math.max(most, counts.get(secondsField) ?? (counts.size > 0 ? resolution : 0));
  }
  return most;
}
