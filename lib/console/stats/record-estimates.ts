import { isRate } from "../../enforce/algorithms/algorithms.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { readClientReadings } from "../../observe/stats/offenders.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { Schedule } from "../../redis/schedule.ts";
import { theConsole } from "../console.ts";
import { redisNowMs, theStatistics, theTrends, trendName } from "../statistics.ts";
import { candidates } from "./read-offenders.ts";

/** A chart joins points that are at most 8 s apart. */
const everyMs = 5_000;

/** Reads the busiest clients' estimates now and then, so that their charts have a past when a page is opened. */
export function startRecordingEstimates(): void {
  oncePerProcess("recorded estimates", () => {
    const schedule = new Schedule();
    let underWay = false;
    schedule.every(everyMs, () => {
      if (underWay) return;
      underWay = true;
      // Without an answer the chart has a gap.
      redisNowMs()
        .then(recordEstimates)
        .catch(() => {})
        .finally(() => {
          underWay = false;
        });
    });
    return schedule;
  });
}

/** Returns how many it has recorded. */
export async function recordEstimates(nowMs: number): Promise<number> {
  const { redis } = theConsole();
  const { policy } = await readPolicy(redis);
  if (!policy.rules.some(({ algorithm }) => isRate(algorithm))) return 0;
  const clients = await candidates(undefined, policy, nowMs);
  const { readings } = await readClientReadings(redis, theStatistics().scales, policy, clients);
  const estimates = readings.filter(({ step }) => isRate(step.algorithm));
  for (const { name, step, reading } of estimates) {
    const { kind, client } = name;
    theTrends().add(
      trendName({ kind, client, rule: step.rule, periodSeconds: step.periodSeconds }),
      reading.used,
      nowMs,
    );
  }
  theTrends().forget(nowMs);
  return estimates.length;
}
