import { z } from "zod";
import { theConsole } from "../../_server/console.ts";
import { read } from "../../_server/read.ts";
import { redisNowMs, shared } from "../../_server/statistics.ts";
import { readMarkers } from "../overview/markers.ts";

const week = 604_800;
const search = z.object({
  seconds: z.coerce.number().int().min(60).max(week),
  client: z.string().min(1).max(64).optional(),
  customer: z.string().min(1).max(64).optional(),
});
const freshMs = 900;

export const GET = read("read", search, ({ search: { seconds, ...whose } }) =>
  shared(`markers ${JSON.stringify([seconds, whose])}`, freshMs, async () => {
    const from = (await redisNowMs()) - seconds * 1_000;
    return { markers: await readMarkers(theConsole().redis, { from, ...whose }) };
  }),
);
