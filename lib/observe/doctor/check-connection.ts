import { isForbidden } from "../../redis/error-kinds.ts";
import { placeOf } from "../../redis/target.ts";
import { type Check, ok, problem } from "./finding.ts";
import { readInfo } from "./info.ts";

export const connection: Check = {
  name: "connection",
  async run({ redis, url }) {
    const place = placeOf(url);
    const startedAt = performance.now();
    try {
      await redis.ping();
    } catch (error) {
      if (!isForbidden(error)) {
        const cure = "Check that it is running and that REDIS_URL is right.";
        return [problem(`Redis at ${place} does not answer.`, { cure })];
      }
    }
    const took = `${(performance.now() - startedAt).toFixed(1)} ms`;
    const role = await readInfo(redis, "replication").catch(() => undefined);
    if (role?.get("role") === "slave") {
      const cure = "Set REDIS_URL to its master.";
      return [problem(`Redis at ${place} is a replica, which accepts no changes.`, { cure })];
    }
    return [ok(`Redis at ${place} answers in ${took}.`)];
  },
};
