import { type Check, note, ok, problem } from "./finding.ts";
import { readInfo } from "./info.ts";

const nearlyFull = 0.9;

export const eviction: Check = {
  name: "eviction",
  async run({ redis }) {
    const info = await readInfo(redis, "memory");
    const policy = info.get("maxmemory_policy");
    if (policy === undefined) {
      const cure = "Make sure that it is set to noeviction.";
      return [note("Redis does not report its maxmemory-policy.", { cure })];
    }
    if (policy !== "noeviction") {
      const split = "Counters that may be dropped belong on their own server (COUNTERS_REDIS_URL).";
      const cure = `Run CONFIG SET maxmemory-policy noeviction, and write it to redis.conf. ${split}`;
      const effect = "when memory is full, Redis drops list entries";
      return [problem(`maxmemory-policy is ${policy}: ${effect}.`, { cure })];
    }
    const [used, most] = [Number(info.get("used_memory")), Number(info.get("maxmemory"))];
    if (most > 0 && used / most > nearlyFull) {
      const share = `${Math.round((100 * used) / most)} % of maxmemory`;
      const says = `noeviction, but ${share} is in use. At 100 % Redis refuses changes.`;
      return [note(says, { cure: "Raise maxmemory." })];
    }
    return [ok("noeviction: Redis drops no entries when memory is full.")];
  },
};
