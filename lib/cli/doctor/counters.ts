import { connectCounters } from "../../redis/connect.ts";
import { isForbidden } from "../failure.ts";
import { firstAnswer } from "../first-answer.ts";
import { placeOf } from "../session.ts";
import { type Check, ok, problem } from "./finding.ts";

export const counters: Check = {
  name: "counters",
  async look({ url, countersUrl }) {
    if (countersUrl === url) return [ok("Counters live beside the lists.")];
    const place = placeOf(countersUrl, "COUNTERS_REDIS_URL");
    const redis = connectCounters(countersUrl, "patiently", "sluice-doctor");
    try {
      await firstAnswer(redis, redis.ping());
      return [ok(`Counters at ${place} answer.`)];
    } catch (error) {
      if (isForbidden(error)) throw error;
      return [
        problem(`Counters at ${place} do not answer. See whether it runs and COUNTERS_REDIS_URL is right.`),
      ];
    } finally {
      redis.disconnect();
    }
  },
};
