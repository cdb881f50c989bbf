import { parsePolicy } from "../../enforce/policy/stored.ts";
import { newestTexts } from "../../enforce/policy/versions.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";

/** Number of versions to read: a ban may wait for its record while the policy changes. */
const newestVersions = 10;

/** Rules that ban, with the longest life of their bans in ms. */
type LongestBans = ReadonlyMap<string, number>;

let latest: { readonly text: string; readonly longest: LongestBans } | undefined;

/** Whether the policy in force, or one of the newest versions, has a rule of this name that bans for this long. */
export async function canBanFor(redis: Connection, rule: string, ms: number): Promise<boolean> {
  const allows = (longest: LongestBans) => ms <= (longest.get(rule) ?? 0);
  const isString = (await redis.type(keys.policy())) === "string";
  const text = isString ? await redis.get(keys.policy()) : null;
  if (text !== null) {
    // Many bans are checked one after the other, and a large policy takes long to parse.
    if (latest?.text !== text) latest = { text, longest: longestBans(text) };
    if (allows(latest.longest)) return true;
  }
  return (await newestTexts(redis, newestVersions)).some((version) => allows(longestBans(version)));
}

function longestBans(text: string): LongestBans {
  const parsed = parsePolicy(text);
  if (!parsed.ok) return new Map();
  return new Map(
    parsed.stored.policy.rules.flatMap(({ name, ban }) =>
      ban ? [[name, ban.capSeconds * 1_000] as const] : [],
    ),
  );
}
