import { createScales, type RedisScales } from "../../lib/limits/scales.ts";
import { atHome } from "../../lib/redis/home.ts";
import { Series } from "../../lib/stats/series.ts";
import { theConsole } from "./console.ts";

/** What the pages' statistics are read with: one of it in a process, so that what is kept is kept once. */
export interface Statistics {
  readonly series: Series;
  readonly scales: RedisScales;
}

/** A person waits longer than a request. */
const withinMs = 2_000;

export function theStatistics(): Statistics {
  return atHome("statistics", () => {
    const { redis, counters } = theConsole();
    return { series: new Series(redis), scales: createScales(counters, { withinMs }) };
  });
}

/** For as long as an answer is young, all who ask get it: ten consoles cost what one does. */
export function shared<T>(name: string, forMs: number, make: () => Promise<T>): Promise<T> {
  const answers = atHome(
    "shared answers",
    () => new Map<string, { until: number; answer: Promise<unknown> }>(),
  );
  const now = performance.now();
  for (const [key, { until }] of answers) if (until <= now) answers.delete(key);
  const known = answers.get(name);
  // The one cast: who asks under a name is the one who has made it.
  if (known) return known.answer as Promise<T>;
  const answer = make();
  answers.set(name, { until: now + forMs, answer });
  answer.catch(() => answers.delete(name));
  return answer;
}

/** Redis' clock, by which buckets are told apart. */
export async function redisNowMs(): Promise<number> {
  const [seconds = 0, micros = 0] = await theConsole().redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
