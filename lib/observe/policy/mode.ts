import type { Mode } from "../../enforce/policy/schema.ts";
import { freshInstall, type StoredPolicy } from "../../enforce/policy/stored.ts";
import { isGood, readVersion } from "../../enforce/policy/versions.ts";
import type { Connection } from "../../redis/connect.ts";

/** The version that set the mode in force: later ones may have changed other parts. As far back as versions are kept. */
export async function findModeSince(redis: Connection, inForce: StoredPolicy): Promise<StoredPolicy> {
  let since = inForce;
  while (since.version > freshInstall.version + 1) {
    const older = await readVersion(redis, since.version - 1);
    if (!older || !isGood(older) || older.policy.mode !== inForce.policy.mode) break;
    since = older;
  }
  return since;
}

const effects: Readonly<Record<Mode, string>> = {
  enforce: "rules and lists are enforced",
  shadow: "rules only report, lists are enforced",
  off: "nothing is enforced, not even the blocklist",
};

/** The effect of the policy's mode, as a sentence. */
export function sayMode(mode: Mode): string {
  return `The mode is ${mode}: ${effects[mode]}.`;
}
