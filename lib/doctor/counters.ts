import { connectCounters } from "../redis/connect.ts";
import { firstAnswer } from "../redis/first-answer.ts";
import { placeOf } from "../redis/target.ts";
import { isForbidden } from "../redis/trouble.ts";
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
      const cure = "See whether it runs and COUNTERS_REDIS_URL is right.";
      return [problem(`Counters at ${place} do not answer.`, { cure })];
    } finally {
      redis.disconnect();
    }
  },
};
