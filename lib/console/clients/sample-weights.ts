import { madeOnce } from "../../at.ts";
import type { ClientMinute } from "../../observe/stats/client-counts.ts";
import type { FeedItem } from "../../observe/stats/feed.ts";

/** Samples of one client, and what nodes counted of it. */
export interface CountedSamples {
  readonly seen: readonly FeedItem[];
  /** Missing minutes are taken for those of their samples alone. */
  readonly minutes: readonly Pick<ClientMinute, "minute" | "requests" | "denied">[];
}

/** Samples, each with the requests that it represents, and the requests of which no sample was kept. */
export interface WeighedSamples {
  readonly denied: WeighedPool;
  readonly others: WeighedPool;
  /** False: nodes counted no request of it, so how the two pools compare is unknown. */
  readonly isCounted: boolean;
}

interface WeighedPool {
  readonly items: readonly FeedItem[];
  readonly requests: number;
}

/** A minute without samples is like one with samples that is at most so far away, or else like the average. */
const mostMinutesAway = 2;
const minuteMs = 60_000;
/** A full list takes the next sample after this part of the time since its first, or a minute. */
const restPart = 20;

/**
 * Nodes keep samples of denials apart from others, many of a client's first seconds and few later. So a sample represents its part of
 * what was counted of its kind around its minute.
 */
export function weighSamples({ seen, minutes }: CountedSamples): WeighedSamples {
  const pool = (items: readonly FeedItem[], countOf: (minute: CountedSamples["minutes"][number]) => number) =>
    weighPool(
      items,
      minutes.map((one) => ({ minute: one.minute, count: countOf(one) })),
    );
  return {
    denied: pool(seen.filter(isDenied), ({ denied }) => denied),
    others: pool(
      seen.filter((item) => !isDenied(item)),
      ({ requests, denied }) => requests - denied,
    ),
    isCounted: minutes.some(({ requests }) => requests > 0),
  };
}

export const isDenied = ({ outcome }: FeedItem) => outcome === "blocked" || outcome === "throttled";

interface SampledMinute {
  readonly items: { readonly item: FeedItem; readonly seconds: number }[];
  requests: number;
}

function weighPool(
  seen: readonly FeedItem[],
  counts: readonly { readonly minute: number; readonly count: number }[],
): WeighedPool {
  const groups = new Map<number, SampledMinute>();
  for (const one of withSeconds(seen))
    madeOnce(
      groups,
      Math.floor(one.item.at / minuteMs),
      (): SampledMinute => ({ items: [], requests: 0 }),
    ).items.push(one);
  let elsewhere = 0;
  for (const { minute, count } of counts) {
    const near = nearest(groups, minute);
    if (near) near.requests += count;
    else elsewhere += count;
  }
  // A sample is a request at least.
  for (const group of groups.values()) group.requests = Math.max(group.requests, group.items.length);
  const sampled = [...groups.values()].reduce((sum, { requests }) => sum + requests, 0);
  const scale = sampled === 0 ? 0 : 1 + elsewhere / sampled;
  return {
    items: [...groups.values()].flatMap(({ items, requests }) => {
      const all = items.reduce((sum, { seconds }) => sum + seconds, 0);
      return items.map(({ item, seconds }) => ({ ...item, standsFor: (scale * requests * seconds) / all }));
    }),
    requests: sampled + elsewhere,
  };
}

/** The time until the next sample, as far as a full list takes none in it: after its first seconds ever longer, as in lua/evidence.lua. */
function withSeconds(seen: readonly FeedItem[]): SampledMinute["items"] {
  const times = [...new Set(seen.map(({ at }) => at))].sort((a, b) => a - b);
  const [first = 0] = times;
  const secondsAt = new Map(
    times.map((at, i) => {
      const pause = Math.max(1_000, Math.min(minuteMs, (at - first) / restPart));
      return [at, Math.min(pause, (times[i + 1] ?? Number.POSITIVE_INFINITY) - at) / 1_000];
    }),
  );
  const together = new Map<number, number>();
  for (const { at } of seen) together.set(at, (together.get(at) ?? 0) + 1);
  return seen.map((item) => ({
    item,
    seconds: (secondsAt.get(item.at) ?? 0) / (together.get(item.at) ?? 1),
  }));
}

function nearest<T>(groups: ReadonlyMap<number, T>, minute: number): T | undefined {
  for (let away = 0; away <= mostMinutesAway; away++) {
    const found = groups.get(minute + away) ?? groups.get(minute - away);
    if (found) return found;
  }
  return undefined;
}
