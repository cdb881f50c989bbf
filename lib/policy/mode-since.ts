import type { Connection } from "../redis/connect.ts";
import { freshInstall, type StoredPolicy } from "./stored.ts";
import { isGood, readVersion } from "./versions.ts";

/** The save that brought the mode in force: later ones may have changed other things. As far back as versions are kept. */
export async function findModeSince(redis: Connection, inForce: StoredPolicy): Promise<StoredPolicy> {
  let since = inForce;
  while (since.version > freshInstall.version + 1) {
    const older = await readVersion(redis, since.version - 1);
    if (!older || !isGood(older) || older.policy.mode !== inForce.policy.mode) break;
    since = older;
  }
  return since;
}
