import { type Check, note, ok, problem } from "./finding.ts";
import { readInfo } from "./info.ts";

const nearlyFull = 0.9;

export const eviction: Check = {
  name: "eviction",
  async look({ redis }) {
    const info = await readInfo(redis, "memory");
    const policy = info.get("maxmemory_policy");
    if (policy === undefined) {
      return [note("Redis does not say what it does when memory is full. It must be set to noeviction.")];
    }
    if (policy !== "noeviction") {
      const split = "Counters that may be dropped belong on a server of their own (COUNTERS_REDIS_URL).";
      const cure = `Run CONFIG SET maxmemory-policy noeviction, and write it to redis.conf. ${split}`;
      return [
        problem(`maxmemory-policy is ${policy}: when memory is full, Redis drops list entries. ${cure}`),
      ];
    }
    const [used, most] = [Number(info.get("used_memory")), Number(info.get("maxmemory"))];
    if (most > 0 && used / most > nearlyFull) {
      const share = `${Math.round((100 * used) / most)} % of maxmemory`;
      return [note(`noeviction, but ${share} is in use; at 100 % changes are refused. Raise maxmemory.`)];
    }
    return [ok("noeviction: nothing is dropped when memory is full.")];
  },
};
