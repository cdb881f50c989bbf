import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { parseIp } from "../../ip/parse.ts";
import { queryFeed } from "../../observe/stats/feed.ts";
import { changeProgress } from "../../observe/stats/nodes.ts";
import { ranges, readOverview } from "../../observe/stats/overview.ts";
import { deniedPaths } from "../../observe/stats/top-paths.ts";
import type { DeniedPathsReply, FeedReply } from "../../queries/feed.ts";
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

const second = z.coerce.number().int().min(0).max(9_999_999_999).optional();
const overviewSearch = z.object({
  range: z.enum(rangeNames),
  app: z.string().min(1).max(64).optional(),
  /** Of a span instead of the range, in seconds. */
  ...{ from: second, until: second },
});
const freshMs = 900;
const mostScanned = 1_000;

export const getOverview = read("read", overviewSearch, ({ search: { range, app, from, until } }) =>
  shared(`overview ${range} ${app ?? ""} ${from} ${until}`, freshMs, async (): Promise<OverviewReply> => {
    const nowMs = await redisNowMs();
    const { resolution, grouped, points } = ranges[range];
    const isSpan = from !== undefined && until !== undefined && from < until;
    const span = isSpan ? { from: from * 1_000, until: until * 1_000 } : undefined;
    const shown = span ?? { from: nowMs - resolution * grouped * points * 1_000 };
    const [found, changes] = await Promise.all([
      readOverview(theStatistics().series, { range, app, nowMs, span }),
      readMarkers(theConsole().redis, { ...shown, mostScanned }),
    ]);
    return { ...found, points: [...found.points], apps: [...found.apps], ...changes };
  }),
);

const feedSearch = z.object({
  outcome: z.enum(["throttled", "blocked", "shadow"]).optional(),
  app: z.string().min(1).max(64).optional(),
  rule: z.string().min(1).max(64).optional(),
  client: z.string().min(1).max(64).optional(),
  path: z.string().min(1).max(200).optional(),
  most: z.coerce.number().int().min(1).max(200),
});
/** A filter that matches few samples reads all of them. */
const filteredFreshMs = 2_500;
const isFiltered = ({ app, rule, client, path }: z.output<typeof feedSearch>) =>
  [app, rule, client, path].some((value) => value !== undefined);
const denials = ["throttled", "blocked", "shadow"] as const;

export const getFeed = read("read", feedSearch, ({ search }) =>
  shared(
    `feed ${JSON.stringify(search)}`,
    isFiltered(search) ? filteredFreshMs : freshMs,
    async (): Promise<FeedReply> => {
      const { outcome, client, ...wanted } = search;
      const streams = outcome === undefined ? denials : [outcome];
      const address = client === undefined ? undefined : parseIp(client);
      const [{ items, since }, asOf] = await Promise.all([
        queryFeed(theConsole().redis, {
          ...{ ...wanted, streams },
          ip: address === undefined ? undefined : address.ok ? address.value : client,
        }),
        redisNowMs(),
      ]);
      return { asOf, items: [...items], since: since ?? null };
    },
  ),
);

const pathsSearch = z.object({ app: z.string().min(1).max(64).optional() });
const pathsFreshMs = 4_000;
const mostPaths = 6;
/** Samples of denials that shares are computed from. */
const mostSamples = 500;

export const getDeniedPaths = read("read", pathsSearch, ({ search: { app } }) =>
  shared(`denied paths ${app ?? ""}`, pathsFreshMs, async (): Promise<DeniedPathsReply> => {
    const streams = ["throttled", "blocked"] as const;
    const { items } = await queryFeed(theConsole().redis, { app, streams, most: mostSamples });
    const asOf = await redisNowMs();
    const { paths, samples, since } = deniedPaths(items, { nowMs: asOf, most: mostPaths });
    return { asOf, paths: [...paths], samples, since: since ?? null };
  }),
);

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
  const { clients, ...rest } = await shared(`offenders ${app ?? ""}`, freshMs, () =>
    readOffenders(app, mostOffenders),
  );
  return { ...rest, clients: clients.slice(0, wanted) };
});
