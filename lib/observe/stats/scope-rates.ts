import { at, madeOnce } from "../../at.ts";
import { bucketSecondsOf, type Scope } from "../../enforce/policy/match.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { busiestByPeak, type ClientRates } from "./rates.ts";
import type { ScopeHistory } from "./scope-history.ts";

export interface ScopeRatesQuery {
  /** Key of the scope. */
  readonly scope: string;
  readonly periodSeconds: number;
  readonly spanMinutes: number;
  readonly nowMs: number;
}

export interface ScopeRates {
  readonly found: readonly ClientRates[];
  /** The length of the windows: the period, as far as buckets can make it. */
  readonly windowSeconds: number;
  /** As far back as was read. */
  readonly minutes: number;
  /** Minutes of these in which a node counted the scope. */
  readonly knownMinutes: number;
  /** In some bucket there were more clients than are kept. */
  readonly isCut: boolean;
}

/** The last hour alone has buckets of ten seconds. */
const fineMinutes = 60;

/** What the rules of a scope counted of the busiest clients, in windows that begin where the rules' windows begin. */
export async function readScopeRates(history: ScopeHistory, query: ScopeRatesQuery): Promise<ScopeRates> {
  const { scope, periodSeconds, spanMinutes, nowMs } = query;
  if (bucketSecondsOf(periodSeconds) === 60) return readBy(60, history, query);
  const fine = await readBy(10, history, { ...query, spanMinutes: Math.min(spanMinutes, fineMinutes) });
  if (fine.knownMinutes > 0) return fine;
  // A rule in force may have the same scope and longer periods alone.
  return readBy(60, history, { scope, periodSeconds, spanMinutes, nowMs });
}

async function readBy(
  unit: Scope["seconds"],
  history: ScopeHistory,
  { scope, periodSeconds, spanMinutes, nowMs }: ScopeRatesQuery,
): Promise<ScopeRates> {
  const windowSeconds = Math.max(unit, Math.round(periodSeconds / unit) * unit);
  const windows = Math.max(1, Math.ceil((60 * spanMinutes) / windowSeconds));
  const nowSeconds = Math.floor(nowMs / 1_000);
  const firstSecond = (Math.floor(nowSeconds / windowSeconds) - windows + 1) * windowSeconds;
  const running = Math.floor(nowSeconds / 60);
  const first = Math.floor(firstSecond / 60);
  // The last window may not be over yet.
  const minutes = Array.from({ length: running - first + 1 }, (_, i) => first + i);
  const all = await history.read({ scope, seconds: unit, minutes, nowMs });
  const found = new Map<string, { lastWindow: number; counts: number[] }>();
  const breathe = breathing();
  let isCut = false;
  for (const [i, minute] of all.entries()) {
    isCut ||= minute.isCut;
    for (const [n, bucket] of minute.buckets.entries()) {
      await breathe();
      const second = 60 * at(minutes, i) + n * unit;
      if (second < firstSecond) continue;
      const window = Math.floor(second / windowSeconds);
      for (const [client, count] of bucket) {
        const rates = madeOnce(found, client, () => ({ lastWindow: -1, counts: [] }));
        const last = rates.counts.length - 1;
        if (rates.lastWindow === window) rates.counts[last] = at(rates.counts, last) + count;
        else rates.counts.push(count);
        rates.lastWindow = window;
      }
    }
  }
  const knownMinutes = all.filter(({ isKnown }) => isKnown).length;
  return { found: await busiestByPeak(found), windowSeconds, minutes: minutes.length, knownMinutes, isCut };
}
