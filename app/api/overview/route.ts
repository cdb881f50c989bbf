import { z } from "zod";
import { type OverviewReply, rangeNames } from "../../../lib/queries/overview.ts";
import { ranges, readOverview } from "../../../lib/stats/overview.ts";
import { theConsole } from "../../_server/console.ts";
import { read } from "../../_server/read.ts";
import { redisNowMs, shared, theStatistics } from "../../_server/statistics.ts";
import { readMarkers } from "./markers.ts";

const search = z.object({ range: z.enum(rangeNames), app: z.string().min(1).max(64).optional() });
const freshMs = 900;
const mostScanned = 1_000;

export const GET = read("read", search, ({ search: { range, app } }) =>
  shared(`overview ${range} ${app ?? ""}`, freshMs, async (): Promise<OverviewReply> => {
    const nowMs = await redisNowMs();
    const { resolution, grouped, points } = ranges[range];
    const from = nowMs - resolution * grouped * points * 1_000;
    const [found, markers] = await Promise.all([
      readOverview(theStatistics().series, { range, app, nowMs }),
      readMarkers(theConsole().redis, { from, mostScanned }),
    ]);
    return { ...found, points: [...found.points], apps: [...found.apps], markers };
  }),
);
