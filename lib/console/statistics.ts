import { createScales } from "../enforce/limits/scales.ts";
import type { HitterName } from "../enforce/stats/fields.ts";
import { ClientCounts } from "../observe/stats/client-counts.ts";
import { EntryHitsReader } from "../observe/stats/entry-hits.ts";
import { Trend } from "../observe/stats/offenders.ts";
import { ScopeHistory } from "../observe/stats/scope-history.ts";
import { Series } from "../observe/stats/series.ts";
import { oncePerProcess } from "../redis/once-per-process.ts";
import { redisNow } from "../redis/redis-clock.ts";
import { theConsole } from "./console.ts";

/** A person waits longer than a request. */
const withinMs = 2_000;

/** What the pages' statistics are read with: one of it in a process, so that what is kept is kept once. */
export function theStatistics() {
  return oncePerProcess("statistics", () => {
    const { redis, counters } = theConsole();
    const scales = createScales(counters, { withinMs });
    const series = new Series(redis);
    return {
      ...{ series, clients: new ClientCounts(redis), scales },
      ...{ scopes: new ScopeHistory(redis), entryHits: new EntryHitsReader(redis, series) },
    };
  });
}

/** For as long as an answer is young, all who ask get it: ten consoles cost what one does. */
export function shared<T>(name: string, forMs: number, make: () => Promise<T>): Promise<T> {
  const answers = oncePerProcess(
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

/** Redis' clock, which decides the bucket. */
export async function redisNowMs(): Promise<number> {
  return redisNow(theConsole().redis);
}

/** Readings of counters while a page was open: one object in a process, so that pages share them. */
export const theTrends = () => oncePerProcess("trends", () => new Trend());

interface Counted {
  readonly kind: HitterName["kind"];
  readonly client: string;
  readonly rule: string;
  readonly periodSeconds: number;
}

export const trendName = ({ kind, client, rule, periodSeconds }: Counted) =>
  `${kind} ${client} ${rule} ${periodSeconds}`;
