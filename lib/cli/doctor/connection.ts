import { isForbidden } from "../failure.ts";
import { placeOf } from "../session.ts";
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
        return [problem(`Redis at ${place} does not answer. See whether it runs and REDIS_URL is right.`)];
      }
    }
    const took = `${(performance.now() - begun).toFixed(1)} ms`;
    const role = await readInfo(redis, "replication").catch(() => undefined);
    if (role?.get("role") === "slave") {
      return [
        problem(`Redis at ${place} is a replica, which takes no changes. Point REDIS_URL at its master.`),
      ];
    }
    return [ok(`Redis at ${place} answers in ${took}.`)];
  },
};
