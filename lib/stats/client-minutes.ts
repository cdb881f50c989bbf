import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { secondsField } from "./report.ts";
import { type Bucket, knownSeconds, type Series } from "./series.ts";
import { hitterKinds } from "./tally.ts";

/** What nodes told of one client in one minute. */
export interface ToldMinute {
  /** Since the epoch. */
  readonly minute: number;
  readonly requests: number;
  readonly denied: number;
  /** False: no node told anything of anybody. */
  readonly isKnown: boolean;
}

export interface MinutesWanted {
  readonly kind: "ip" | "customer";
  readonly client: string;
  /** How many, the last of which is running. */
  readonly minutes: number;
  readonly nowMs: number;
}

/** Clients that somebody looked at lately; a day of each is some ten kilobytes. */
const mostClients = 200;
/** Commands of one pipeline, so that neither Redis nor this process is held up by a whole day. */
const mostAtOnce = 4_000;

/** What one client did, minute by minute. A minute that is over is read once, so that who looks on costs what is new. */
export class ClientMinutes {
  readonly #redis: Connection;
  readonly #series: Pick<Series, "read">;
  readonly #settled = new Map<string, Map<number, ToldMinute>>();

  /** @param series says which apps told anything at all of a minute */
  constructor(redis: Connection, series: Pick<Series, "read">) {
    this.#redis = redis;
    this.#series = series;
  }

  /** Oldest first. */
  async read({ kind, client, minutes, nowMs }: MinutesWanted): Promise<ToldMinute[]> {
    const name = hitterKinds[kind] + client;
    const running = Math.floor(nowMs / 60_000);
    const buckets = await this.#series.read(60, minutes, nowMs);
    const settled = this.#settledOf(name);
    const known = buckets.map((bucket) => settled.get(minuteOf(bucket)));
    const found = await this.#fetch(
      name,
      buckets.filter((_, i) => !known[i]),
    );
    // The last reports of a minute come a second or two after it.
    for (const told of found) if (told.minute < running - 1) settled.set(told.minute, told);
    forgetBefore(settled, running - oldestKept);
    let next = 0;
    return known.flatMap((told) => told ?? found[next++] ?? []);
  }

  #settledOf(name: string): Map<number, ToldMinute> {
    const settled = this.#settled.get(name) ?? new Map<number, ToldMinute>();
    // Whoever was asked for last stands last.
    this.#settled.delete(name);
    this.#settled.set(name, settled);
    for (const other of this.#settled.keys()) {
      if (this.#settled.size <= mostClients) break;
      this.#settled.delete(other);
    }
    return settled;
  }

  async #fetch(name: string, buckets: readonly Bucket[]): Promise<ToldMinute[]> {
    const places = buckets.flatMap((bucket) =>
      busyApps(bucket).map((app) => ({ minute: minuteOf(bucket), app })),
    );
    const all = await this.#ask(places, (pipeline, { minute, app }) =>
      pipeline.zscore(keys.hitters("all", app, minute), name),
    );
    // Who did not come was not denied either.
    const came = places.flatMap((place, i) =>
      all[i] === null ? [] : [{ ...place, requests: Number(all[i]) }],
    );
    const denied = await this.#ask(came, (pipeline, { minute, app }) =>
      pipeline.zscore(keys.hitters("denied", app, minute), name),
    );
    const sums = new Map<number, { requests: number; denied: number }>();
    for (const [i, { minute, requests }] of came.entries()) {
      const sum = sums.get(minute) ?? { requests: 0, denied: 0 };
      sums.set(minute, sum);
      sum.requests += requests;
      sum.denied += Number(denied[i] ?? 0);
    }
    return buckets.map((bucket) => {
      const minute = minuteOf(bucket);
      const { requests = 0, denied = 0 } = sums.get(minute) ?? {};
      return { minute, requests, denied, isKnown: knownSeconds(bucket, 60) > 0 };
    });
  }

  async #ask<T>(
    things: readonly T[],
    add: (pipeline: ReturnType<Connection["pipeline"]>, thing: T) => unknown,
  ): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (let i = 0; i < things.length; i += mostAtOnce) {
      const pipeline = this.#redis.pipeline();
      for (const thing of things.slice(i, i + mostAtOnce)) add(pipeline, thing);
      for (const [error, answer] of (await pipeline.exec()) ?? []) {
        if (error) throw error;
        answers.push(answer);
      }
    }
    return answers;
  }
}

/** In minutes: as long as Redis keeps them. */
const oldestKept = 25 * 60;

const minuteOf = ({ at }: Bucket): number => Math.round(at / 60_000);

/** Apps to which anybody came. */
function busyApps({ apps }: Bucket): string[] {
  return [...apps].flatMap(([app, counts]) =>
    counts.size > (counts.has(secondsField) ? 1 : 0) ? [app] : [],
  );
}

function forgetBefore(settled: Map<number, ToldMinute>, oldest: number): void {
  for (const minute of settled.keys()) if (minute < oldest) settled.delete(minute);
}
