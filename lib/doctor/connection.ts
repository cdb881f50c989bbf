import { placeOf } from "../redis/target.ts";
import { isForbidden } from "../redis/trouble.ts";
import { type Check, ok, problem } from "./finding.ts";
import { readInfo } from "./info.ts";

export const connection: Check = {
  name: "connection",
  async look({ redis, url }) {
    const place = placeOf(url);
    const begun = performance.now();
    try {
      await redis.ping();
    } catch (error) {
      if (!isForbidden(error)) {
        const cure = "See whether it runs and REDIS_URL is right.";
        return [problem(`Redis at ${place} does not answer.`, { cure })];
      }
    }
    const took = `${(performance.now() - begun).toFixed(1)} ms`;
    const role = await readInfo(redis, "replication").catch(() => undefined);
    if (role?.get("role") === "slave") {
      const cure = "Point REDIS_URL at its master.";
      return [problem(`Redis at ${place} is a replica, which takes no changes.`, { cure })];
    }
    return [ok(`Redis at ${place} answers in ${took}.`)];
  },
};
