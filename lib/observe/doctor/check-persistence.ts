import type { Connection } from "../../redis/connect.ts";
import { isForbidden } from "../../redis/error-kinds.ts";
import { type Check, note, ok, problem } from "./finding.ts";
import { readInfo } from "./info.ts";

export const persistence: Check = {
  name: "persistence",
  async run({ redis }) {
    const info = await readInfo(redis, "persistence");
    const hasAof = info.get("aof_enabled") === "1";
    const schedule = await saveSchedule(redis);
    const failed = (field: string) => (info.get(field) ?? "ok") !== "ok";
    const failure = (what: string) => [
      problem(`The last ${what} failed.`, {
        cure: "Check Redis' log. The disk may be full, or the folder not writable.",
      }),
    ];
    if (hasAof && failed("aof_last_write_status")) return failure("write to the AOF");
    if (hasAof && failed("aof_last_bgrewrite_status")) return failure("AOF rewrite");
    if (schedule !== "" && failed("rdb_last_bgsave_status")) return failure("snapshot");
    if (hasAof) return [ok("Redis keeps an append-only file, and the last write succeeded.")];
    if (schedule === undefined) {
      const says = "AOF is off. Whether snapshots are on is unknown, because CONFIG is not allowed.";
      return [note(says, { cure: "Make sure that snapshots are on." })];
    }
    if (schedule === "") {
      const cure = "Run CONFIG SET appendonly yes, and write it to redis.conf.";
      return [problem("Neither AOF nor snapshots are on. A restart would lose both lists.", { cure })];
    }
    return [
      ok(`Redis takes snapshots (save ${schedule}). AOF would also keep the changes after the last one.`),
    ];
  },
};

/** Schedule of snapshots. "" means never. Undefined if Redis does not report it. */
async function saveSchedule(redis: Connection): Promise<string | undefined> {
  try {
    const reply: unknown = await redis.config("GET", "save");
    // A list in RESP2, a map in RESP3.
    const settings: unknown[] = Array.isArray(reply) ? reply : Object.entries(reply ?? {}).flat();
    const schedule = settings[settings.indexOf("save") + 1];
    return typeof schedule === "string" && settings.length > 1 ? schedule : undefined;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
