import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { readScores } from "./hitters.ts";
import { hitterKinds } from "./tally.ts";

/** How often one client came, window by window. */
export interface ClientRates {
  readonly client: string;
  readonly counts: readonly number[];
  readonly peak: number;
}

export interface RatesWanted {
  readonly kind: "ip" | "customer";
  readonly app?: string | undefined;
  /** Whole minutes. */
  readonly periodMinutes: number;
  readonly windows: number;
  readonly nowMs: number;
}

export interface Judged {
  readonly clients: number;
  readonly requests: number;
  /** Of all requests that are known. */
  readonly share: number;
  /** The busiest that would not have been turned away; nothing when all would. */
  readonly closest: { readonly client: string; readonly peak: number } | undefined;
}

/** Beyond so many minutes' worth, what was kept longest is read again. */
const mostSettled = 12_000;

/** How many of an app's busiest are looked at, the fewer the longer the time. */
const mostAMinute = (minutes: number) => (minutes <= 120 ? 1_000 : 200);

/**
 * The busiest clients' requests in windows that are as long as a rule's, and lie as its do. Minutes that are over are read
 * once.
 */
export class Rates {
  readonly #redis: Connection;
  readonly #settled = new Map<string, ReadonlyMap<string, number>>();

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  async read(wanted: RatesWanted): Promise<ClientRates[]> {
    const { periodMinutes, windows, nowMs } = wanted;
    const last = Math.floor(nowMs / 60_000 / periodMinutes);
    const first = last - windows + 1;
    const minutes = Array.from({ length: windows * periodMinutes }, (_, i) => first * periodMinutes + i);
    const counts = new Map<string, number[]>();
    for (const [i, minute] of (await this.#minutes(minutes, wanted)).entries()) {
      for (const [client, count] of minute) {
        const row = counts.get(client) ?? new Array<number>(windows).fill(0);
        counts.set(client, row);
        const window = Math.floor(i / periodMinutes);
        row[window] = (row[window] ?? 0) + count;
      }
    }
    return [...counts]
      .map(([client, row]) => ({ client, counts: row, peak: Math.max(...row) }))
      .sort((a, b) => b.peak - a.peak);
  }

  async #minutes(minutes: readonly number[], { kind, app, nowMs }: RatesWanted) {
    const most = mostAMinute(minutes.length);
    const running = Math.floor(nowMs / 60_000);
    const found: (ReadonlyMap<string, number> | undefined)[] = minutes.map((minute) =>
      this.#settled.get(nameOf(kind, app, minute, most)),
    );
    const missing = minutes.flatMap((minute, i) => (found[i] || minute > running ? [] : [i]));
    const read = await this.#fetch(
      missing.map((i) => minutes[i] ?? 0),
      { kind, app, most },
    );
    missing.forEach((i, j) => {
      const minute = minutes[i] ?? 0;
      const counts = read[j] ?? new Map();
      found[i] = counts;
      // The last reports of a minute come a second or two after it.
      if (minute < running - 1 && counts.size > 0) this.#settled.set(nameOf(kind, app, minute, most), counts);
    });
    this.#forget();
    return found.map((counts) => counts ?? new Map<string, number>());
  }

  async #fetch(
    minutes: readonly number[],
    { kind, app, most }: { kind: "ip" | "customer"; app: string | undefined; most: number },
  ): Promise<Map<string, number>[]> {
    const apps = await this.#appsOf(minutes, app);
    const pipeline = this.#redis.pipeline();
    minutes.forEach((minute, i) => {
      for (const name of apps[i] ?? [])
        pipeline.zrevrange(keys.hitters("all", name, minute), 0, most - 1, "WITHSCORES");
    });
    const answers = (await pipeline.exec()) ?? [];
    let next = 0;
    return minutes.map((_, i) => {
      const counts = new Map<string, number>();
      for (const __ of apps[i] ?? []) {
        const [error, flat] = answers[next++] ?? [];
        if (error) throw error;
        for (const [name, count] of readScores(flat)) {
          if (!name.startsWith(hitterKinds[kind])) continue;
          const client = name.slice(hitterKinds[kind].length);
          counts.set(client, (counts.get(client) ?? 0) + count);
        }
      }
      return counts;
    });
  }

  async #appsOf(minutes: readonly number[], app: string | undefined): Promise<readonly string[][]> {
    if (app !== undefined) return minutes.map(() => [app]);
    const pipeline = this.#redis.pipeline();
    for (const minute of minutes) pipeline.smembers(keys.activeApps(minute));
    const answers = (await pipeline.exec()) ?? [];
    return answers.map(([error, names]) => {
      if (error) throw error;
      return Array.isArray(names) ? names.map(String) : [];
    });
  }

  #forget(): void {
    for (const name of this.#settled.keys()) {
      if (this.#settled.size <= mostSettled) return;
      this.#settled.delete(name);
    }
  }
}

/** What a limit per window would have turned away, had it been there. */
export function judge(rates: readonly ClientRates[], limit: number): Judged {
  let [clients, requests, all] = [0, 0, 0];
  let closest: Judged["closest"];
  for (const { client, counts, peak } of rates) {
    if (peak > limit) clients++;
    else if (!closest || peak > closest.peak) closest = { client, peak };
    for (const count of counts) {
      all += count;
      requests += Math.max(0, count - limit);
    }
  }
  return { clients, requests, share: all === 0 ? 0 : requests / all, closest };
}

/** The widest gap between two neighbours, on a scale of factors: a limit in it hits nobody by accident. */
export function gapOf(
  rates: readonly ClientRates[],
): { readonly from: number; readonly to: number } | undefined {
  let widest: { from: number; to: number } | undefined;
  for (let i = 0; i + 1 < rates.length; i++) {
    const [to = 0, from = 0] = [rates[i]?.peak, rates[i + 1]?.peak];
    if (from > 0 && (!widest || to / from > widest.to / widest.from)) widest = { from, to };
  }
  return widest && widest.to >= 1.5 * widest.from ? widest : undefined;
}

const nameOf = (kind: string, app: string | undefined, minute: number, most: number) =>
  `${minute} ${kind} ${most} ${app ?? ""}`;
