import { type Connection, type CountersConnection, connectCounters } from "../../redis/connect.ts";
import { isForbidden } from "../../redis/error-kinds.ts";
import { firstAnswer } from "../../redis/first-answer.ts";
import { placeOf } from "../../redis/target.ts";
import { type Check, type Finding, note, ok, problem } from "./finding.ts";
import { readInfo } from "./info.ts";

const ownServer = "Give counters a Redis of their own with maxmemory and allkeys-lru, in COUNTERS_REDIS_URL.";

export const counters: Check = {
  name: "counters",
  async run({ url, countersUrl }) {
    if (countersUrl === url) return [noteShared()];
    const place = placeOf(countersUrl, "COUNTERS_REDIS_URL");
    const redis = connectCounters(countersUrl, "patiently", "sluice-doctor");
    try {
      await firstAnswer(redis, redis.ping());
      return [
        redis.isCluster ? ok(`Counters at ${place} answer.`) : await judgeMemory(serverOf(redis), place),
      ];
    } catch (error) {
      if (isForbidden(error)) throw error;
      const cure = "Check that the server is running and that COUNTERS_REDIS_URL is right.";
      return [problem(`Counters at ${place} do not answer.`, { cure })];
    } finally {
      redis.disconnect();
    }
  },
};

function noteShared(): Omit<Finding, "check"> {
  const effect =
    "Each new client takes memory. When memory is full, Redis refuses list changes, bans and sign-ins";
  return note(`Counters share the Redis of the lists. ${effect}.`, { cure: ownServer });
}

/** The counters as a single server. The caller has excluded a cluster. */
const serverOf = (redis: CountersConnection) => redis as Connection;

/** Counters may be dropped. A server that drops none runs full, and then each rule follows its onStoreError. */
async function judgeMemory(redis: Connection, place: string): Promise<Omit<Finding, "check">> {
  const info = await readInfo(redis, "memory");
  const [most, policy = "an unknown policy"] = [Number(info.get("maxmemory")), info.get("maxmemory_policy")];
  const cure = "Set maxmemory, and maxmemory-policy allkeys-lru, on that server alone.";
  if (most === 0) return note(`Counters at ${place} answer, but without a memory limit.`, { cure });
  if (policy === "noeviction") {
    return note(`Counters at ${place} answer. With noeviction they reject writes when memory is full.`, {
      cure,
    });
  }
  return ok(`Counters at ${place} answer. When memory is full, they drop counters (${policy}).`);
}
