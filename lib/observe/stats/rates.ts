import { at, madeOnce } from "../../at.ts";
import { breathing } from "../../redis/loop-turn.ts";
import type { ClientCounts } from "./client-counts.ts";

/** How often one client sent requests, window by window. */
export interface ClientRates {
  readonly client: string;
  /** Of windows with requests: of a day of minutes, most clients are seen in few. */
  readonly counts: readonly number[];
  readonly peak: number;
}

export interface RatesQuery {
  readonly kind: "ip" | "customer";
  readonly app?: string | undefined;
  /** Whole minutes. */
  readonly periodMinutes: number;
  readonly windows: number;
  readonly nowMs: number;
}

/** The effect of a limit per window, had it been in force. */
export interface LimitEffect {
  /** Clients that it would have denied at least once. */
  readonly clients: number;
  readonly requests: number;
  /** Of all requests that are known. */
  readonly share: number;
  /** The busiest client that it would not have denied; undefined when it would have denied all. */
  readonly closest: { readonly client: string; readonly peak: number } | undefined;
}

/** Clients of an app in one minute, the fewer the longer the time. */
const mostAMinute = (minutes: number) => (minutes <= 120 ? 1_000 : 200);

/** The busiest clients' requests in windows of a rule's length, which begin where the rule's windows begin. */
export async function readRates(
  counts: ClientCounts,
  { kind, app, periodMinutes, windows, nowMs }: RatesQuery,
): Promise<ClientRates[]> {
  const running = Math.floor(nowMs / 60_000);
  const first = (Math.floor(running / periodMinutes) - windows + 1) * periodMinutes;
  const length = windows * periodMinutes;
  // The last window may not be over yet.
  const minutes = Array.from({ length: Math.min(length, running - first + 1) }, (_, i) => first + i);
  const found = new Map<string, { lastWindow: number; counts: number[] }>();
  const breathe = breathing();
  const wanted = { kind, app, minutes, most: mostAMinute(length), nowMs };
  for (const [i, minute] of (await counts.busiest(wanted)).entries()) {
    await breathe();
    const window = Math.floor(i / periodMinutes);
    for (const [client, count] of minute) {
      const rates = madeOnce(found, client, () => ({ lastWindow: -1, counts: [] }));
      const last = rates.counts.length - 1;
      if (rates.lastWindow === window) rates.counts[last] = at(rates.counts, last) + count;
      else rates.counts.push(count);
      rates.lastWindow = window;
    }
  }
  return busiestByPeak(found);
}

/** There are few peaks: one sort of all clients of an attack would take too long a turn. */
export async function busiestByPeak(
  found: ReadonlyMap<string, { readonly counts: readonly number[] }>,
): Promise<ClientRates[]> {
  const breathe = breathing();
  const byPeak = new Map<number, ClientRates[]>();
  for (const [client, { counts }] of found) {
    await breathe();
    const peak = Math.max(...counts);
    madeOnce(byPeak, peak, () => []).push({ client, counts, peak });
  }
  await breathe();
  return [...byPeak].sort(([a], [b]) => b - a).flatMap(([, same]) => same);
}

/** The effect that a limit per window would have had. */
export function effectOf(rates: readonly ClientRates[], limit: number): LimitEffect {
  let [clients, requests, all] = [0, 0, 0];
  let closest: LimitEffect["closest"];
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

/** The widest gap between two neighbours, as a factor: a limit in it denies no ordinary client. */
export function gapOf(
  rates: readonly ClientRates[],
): { readonly from: number; readonly to: number } | undefined {
  let widest: { from: number; to: number } | undefined;
  for (const [i, { peak: from }] of rates.entries()) {
    const to = rates[i - 1]?.peak;
    if (to !== undefined && from > 0 && (!widest || to / from > widest.to / widest.from))
      widest = { from, to };
  }
  return widest && widest.to >= 1.5 * widest.from ? widest : undefined;
}
