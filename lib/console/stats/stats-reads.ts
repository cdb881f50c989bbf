import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { type FeedItem, readFeed } from "../../observe/stats/feed.ts";
import { changeProgress } from "../../observe/stats/nodes.ts";
import { ranges, readOverview } from "../../observe/stats/overview.ts";
import type { FeedReply } from "../../queries/feed.ts";
import { type OverviewReply, rangeNames } from "../../queries/overview.ts";
import { theHistory } from "../audit/audit-watch.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";
import { readMarkers } from "./markers.ts";
import { readOffenders } from "./read-offenders.ts";

export const getChangeProgress = read<z.ZodObject, { n: string }>(
  "read",
  z.object({}),
  async ({ console, params }) => {
    if (!/^[1-9]\d{0,14}$/.test(params.n)) throw new DomainError("bad-input", "This is not a change number.");
    const { reached, ...progress } = await changeProgress(console.redis, Number(params.n));
    // A foreign writer may have put anything there.
    return { ...progress, reached: reached.filter(({ tookMs }) => Number.isFinite(tookMs)) };
  },
);

const overviewSearch = z.object({ range: z.enum(rangeNames), app: z.string().min(1).max(64).optional() });
const freshMs = 900;
const mostScanned = 1_000;

export const getOverview = read("read", overviewSearch, ({ search: { range, app } }) =>
  shared(`overview ${range} ${app ?? ""}`, freshMs, async (): Promise<OverviewReply> => {
    const nowMs = await redisNowMs();
    const { resolution, grouped, points } = ranges[range];
    const from = nowMs - resolution * grouped * points * 1_000;
    const [found, changes] = await Promise.all([
      readOverview(theStatistics().series, { range, app, nowMs }),
      readMarkers(theConsole().redis, { from, mostScanned }),
    ]);
    return { ...found, points: [...found.points], apps: [...found.apps], ...changes };
  }),
);

const feedSearch = z.object({
  outcome: z.enum(["throttled", "blocked", "shadow"]).optional(),
  app: z.string().min(1).max(64).optional(),
  most: z.coerce.number().int().min(1).max(200),
});
const mostRead = 1_000;

export const getFeed = read(
  "read",
  feedSearch,
  async ({ search: { outcome, app, most } }): Promise<FeedReply> => {
    const items = await latestSeen();
    const isWanted = (item: FeedItem) =>
      (outcome === undefined ? isDenial(item) : item.outcome === outcome) &&
      (app === undefined || item.app === app);
    return { asOf: await redisNowMs(), items: items.filter(isWanted).slice(0, most) };
  },
);

const isDenial = ({ outcome }: FeedItem) => outcome !== "pass" && outcome !== "safelisted";

function latestSeen(): Promise<FeedItem[]> {
  return shared("feed", freshMs, () => readFeed(theConsole().redis, { most: mostRead }));
}

const week = 604_800;
const markersSearch = z.object({
  seconds: z.coerce.number().int().min(60).max(week),
  client: z.string().min(1).max(64).optional(),
  customer: z.string().min(1).max(64).optional(),
});

export const getMarkers = read("read", markersSearch, ({ search: { seconds, ...whose } }) =>
  shared(`markers ${JSON.stringify([seconds, whose])}`, freshMs, async () => {
    const from = (await redisNowMs()) - seconds * 1_000;
    return readMarkers(theConsole().redis, { from, ...whose, history: theHistory() });
  }),
);

const mostOffenders = 100;
const offendersSearch = z.object({
  app: z.string().min(1).max(64).optional(),
  most: z.coerce.number().int().min(1).max(mostOffenders),
});

/** However many are wanted, all of an app's are read once. */
export const getOffenders = read("read", offendersSearch, async ({ search: { app, most: wanted } }) => {
  const { byCounter, byEstimate, ...rest } = await shared(`offenders ${app ?? ""}`, freshMs, () =>
    readOffenders(app, mostOffenders),
  );
  return { ...rest, byCounter: byCounter.slice(0, wanted), byEstimate: byEstimate.slice(0, wanted) };
});
