import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { lua } from "../redis/lua.generated.ts";
import { defineScript } from "../redis/script.ts";
import type { Report } from "./tally.ts";

/** How long a bucket of the series is, in seconds. Each counts everything; the short ones are forgotten sooner. */
export const resolutions = [1, 10, 60, 3_600] as const;
export type Resolution = (typeof resolutions)[number];

interface Told {
  readonly app: string;
  readonly node: string;
  readonly report: Report;
  /** Of Redis' clock, as well as the node knows it. */
  readonly nowMs: number;
}

const script = defineScript({
  lua: lua.report,
  keys: ({ app, nowMs }: Told) => {
    const seconds = Math.floor(nowMs / 1_000);
    const minute = Math.floor(seconds / 60);
    return [
      ...resolutions.map((length) => keys.series(length, Math.floor(seconds / length))),
      keys.hitters("all", app, minute),
      keys.hitters("denied", app, minute),
      keys.activeApps(minute),
      keys.feed(),
      keys.nodes(),
      keys.totals(),
    ];
  },
  args: ({ app, node, report: { counts, hitters, seen } }) => [
    app,
    JSON.stringify([...counts].flat()),
    JSON.stringify(hitters.flatMap(({ name, count, denied }) => [name, count, denied])),
    JSON.stringify(seen.map((one) => JSON.stringify({ ...one, app, node }))),
  ],
  reply: ([nowMs, nodes]: [number, number]) => ({ nowMs, nodes }),
});

/** The field of a bucket, beside those of a report, that says of how many of its seconds some node of the app has told. */
export const secondsField = "seconds";

/** Adds what a node has counted to what the fleet has. One call, however much was counted. */
export function sendReport(redis: Connection, told: Told): Promise<{ nowMs: number; nodes: number }> {
  return script.run(redis, told);
}
