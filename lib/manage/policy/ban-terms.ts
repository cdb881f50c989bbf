import { type NetworkLengths, networkOf } from "../../enforce/policy/client.ts";
import { parsePolicy } from "../../enforce/policy/stored.ts";
import { withAttack } from "../../enforce/policy/timed.ts";
import { newestTexts } from "../../enforce/policy/versions.ts";
import type { Block } from "../../ip/block.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";

/** Number of versions to read: a ban may wait for its record while the policy changes. */
const newestVersions = 10;

/** What a rule bans at most. */
interface LongestBan {
  readonly ms: number;
  readonly network: NetworkLengths;
}

/** Rules that ban. */
type LongestBans = ReadonlyMap<string, LongestBan>;

let latest: { readonly text: string; readonly longest: LongestBans } | undefined;

interface BanClaim {
  readonly rule: string;
  readonly ms: number;
  readonly target: Block;
}

/** Whether the policy in force, or one of the newest versions, has a rule of this name that bans for this long and as wide. Attack rules count where attack mode is on. */
export async function canBan(redis: Connection, { rule, ms, target }: BanClaim): Promise<boolean> {
  const allows = (bans: LongestBans) => {
    const longest = bans.get(rule);
    if (!longest || ms > longest.ms) return false;
    return target.length >= (target.family === 4 ? longest.network.v4 : longest.network.v6);
  };
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
  const { policy, timed } = parsed.stored;
  return new Map(
    withAttack(policy, timed?.attack).rules.flatMap((rule) =>
      rule.ban ? [[rule.name, { ms: rule.ban.capSeconds * 1_000, network: networkOf(rule) }] as const] : [],
    ),
  );
}
