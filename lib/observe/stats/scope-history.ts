import { at } from "../../at.ts";
import { countedScope } from "../../enforce/stats/fields.ts";
import { scopeSetSize } from "../../enforce/stats/report.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { repliesOf } from "../../redis/script.ts";
import { readScores } from "./client-counts.ts";
import { SettledMinutes } from "./settled-minutes.ts";

/** What the rules of one scope counted in one minute. */
export interface ScopeMinute {
  /** The busiest clients, bucket by bucket. */
  readonly buckets: readonly ReadonlyMap<string, number>[];
  /** False: no node counted the scope, so there may have been requests. */
  readonly isKnown: boolean;
  /** Clients were left out: there were more than a bucket keeps. */
  readonly isCut: boolean;
}

export interface HistoryQuery {
  readonly scope: string;
  /** Length of the buckets. */
  readonly seconds: 10 | 60;
  /** Since the epoch. */
  readonly minutes: readonly number[];
  readonly nowMs: number;
}

/** Minutes of one pipeline: a whole day delays neither Redis nor this process. */
const mostAtOnce = 200;

/** The busiest clients of each scope, as nodes report them. A minute that is over is read once. */
export class ScopeHistory {
  readonly #redis: Connection;
  readonly #minutes = new SettledMinutes<ScopeMinute>(8);

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  read({ scope, seconds, minutes, nowMs }: HistoryQuery): Promise<ScopeMinute[]> {
    return this.#minutes.read(`${scope} ${seconds}`, minutes, nowMs, async (missing) => {
      const found: ScopeMinute[] = [];
      const breathe = breathing();
      for (let from = 0; from < missing.length; from += mostAtOnce) {
        await breathe();
        found.push(...(await this.#fetch(scope, seconds, missing.slice(from, from + mostAtOnce))));
      }
      return found;
    });
  }

  async #fetch(scope: string, seconds: 10 | 60, minutes: readonly number[]): Promise<ScopeMinute[]> {
    const perMinute = 60 / seconds;
    const pipeline = this.#redis.pipeline();
    for (const minute of minutes) {
      pipeline.zscore(keys.countedScopes(minute), countedScope(scope, seconds));
      for (let i = 0; i < perMinute; i++)
        pipeline.zrevrange(keys.scopeHitters(seconds, minute * perMinute + i, scope), 0, -1, "WITHSCORES");
    }
    const replies = await repliesOf(pipeline);
    return minutes.map((_, i) => {
      const from = i * (1 + perMinute);
      const scores = replies.slice(from + 1, from + 1 + perMinute).map(readScores);
      return {
        buckets: scores.map((each) => new Map(each)),
        isKnown: at(replies, from) !== null,
        isCut: scores.some((each) => each.length >= scopeSetSize),
      };
    });
  }
}
