import type { FeedItem } from "./feed.ts";

/** A path of one app, with its share of the denials that were sampled. */
export interface DeniedPath {
  readonly app: string;
  readonly path: string;
  /** From 0 to 1. An estimate: the samples are some of the denials. */
  readonly share: number;
}

export interface DeniedPaths {
  /** The largest share first. */
  readonly paths: readonly DeniedPath[];
  /** Number of samples. */
  readonly samples: number;
  /** Time of the oldest. Undefined without samples. */
  readonly since: number | undefined;
}

/** Older samples are of an earlier attack. */
const longestMs = 300_000;

/** The paths with most of the denials, by recent samples. Each is weighted by the number of denials that it represents. */
export function deniedPaths(
  items: readonly FeedItem[],
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): DeniedPaths {
  // A check of a limit in code has no path.
  const denials = items.filter(
    ({ outcome, at, path }) =>
      (outcome === "throttled" || outcome === "blocked") && path !== "" && nowMs - at <= longestMs,
  );
  const sums = new Map<string, { app: string; path: string; sum: number }>();
  let all = 0;
  for (const { app, path, standsFor } of denials) {
    const weight = Math.max(1, standsFor);
    const known = sums.get(`${app} ${path}`) ?? { app, path, sum: 0 };
    known.sum += weight;
    all += weight;
    sums.set(`${app} ${path}`, known);
  }
  return {
    paths: [...sums.values()]
      .sort((a, b) => b.sum - a.sum)
      .slice(0, most)
      .map(({ app, path, sum }) => ({ app, path, share: sum / all })),
    samples: denials.length,
    since: denials.length > 0 ? denials.reduce((first, { at }) => Math.min(first, at), nowMs) : undefined,
  };
}
