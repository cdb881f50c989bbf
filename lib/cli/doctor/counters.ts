import { connectCounters } from "../../redis/connect.ts";
import { isForbidden } from "../failure.ts";
import { placeOf } from "../session.ts";
import { type Check, ok, problem } from "./finding.ts";

const answerWithinMs = 2_000;

export const counters: Check = {
  name: "counters",
  async look({ url, countersUrl }) {
    if (countersUrl === url) return [ok("Counters live beside the lists.")];
    const place = placeOf(countersUrl, "COUNTERS_REDIS_URL");
    const redis = connectCounters(countersUrl, "patiently", "sluice-doctor");
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("no answer")), answerWithinMs);
    });
    try {
      await Promise.race([redis.ping(), tooLate]);
      return [ok(`Counters at ${place} answer.`)];
    } catch (error) {
      if (isForbidden(error)) throw error;
      return [
        problem(`Counters at ${place} do not answer. See whether it runs and COUNTERS_REDIS_URL is right.`),
      ];
    } finally {
      clearTimeout(timer);
      redis.disconnect();
    }
  },
};
