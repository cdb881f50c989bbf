import { blockOf, type Ip } from "../../ip/parse.ts";
import { loopback } from "../../ip/range-list.ts";
import { readSignIns, type SignIn } from "../../manage/users/sign-in.ts";
import { isInside } from "../../manage/users/sign-in-client.ts";
import { readFailures } from "../../manage/users/sign-in-failures.ts";
import { levelOfAccount, slowdown } from "../../manage/users/sign-in-levels.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { type Check, note, ok, plural } from "./finding.ts";

const recentMs = 30 * 86_400_000;
const mostAtOnce = 500;
const mostNamed = 5;

/** Accounts under attack, and a proxy that is not in SLUICE_TRUSTED_PROXIES. */
export const signIns: Check = {
  name: "sign-ins",
  async run({ redis }) {
    const since = new Date(Date.now() - recentMs).toISOString();
    const recent = [...(await readSignIns(redis)).values()].filter(({ at }) => at > since);
    const found = [...(await judgeAccounts(redis)), ...judgeAddresses(recent), ...judgeProxies(recent)];
    return found.length > 0 ? found : [ok("No account is slowed down after failed sign-ins.")];
  },
};

async function judgeAccounts(redis: Connection) {
  const accounts = await redis.hkeys(keys.users());
  let slow = 0;
  for (let from = 0; from < accounts.length; from += mostAtOnce) {
    const some = accounts.slice(from, from + mostAtOnce);
    const failures = await readFailures(redis, some.map(levelOfAccount));
    slow += failures.filter(({ count }) => count >= slowdown.after).length;
  }
  if (slow === 0) return [];
  const says =
    `${plural(slow, "account")} failed to sign in more than ${slowdown.after} times within an hour. ` +
    `Attempts for ${slow === 1 ? "it" : "them"} take turns, one every ${slowdown.delayMs / 1_000} s.`;
  // Viewers read this, and may not see users. The audit log shows users to admins.
  const cure = "The audit log names accounts and addresses. Single sign-on brings a second factor.";
  return [note(says, { cure })];
}

/** Note on sign-ins that all come from one private or unknown address. One person on this machine is loopback, too. */
function judgeAddresses(recent: readonly SignIn[]) {
  const addresses = new Set(recent.flatMap(({ address }) => (address === undefined ? [] : [address])));
  const [address] = addresses;
  if (address === undefined || addresses.size > 1) return [];
  if (address !== null && !isOfProxy(address, recent.length)) return [];
  const what = address === null ? "an unknown address" : `one private address, ${address}`;
  const cure =
    "If a proxy is in front of the console, add it to SLUICE_TRUSTED_PROXIES. Until then failed sign-ins of strangers " +
    "slow down the sign-ins of all users.";
  return [note(`All sign-ins of the last 30 days come from ${what}.`, { cure })];
}

/** Proxies with a public address. A user could forge the header, so it takes a person to judge. */
function judgeProxies(recent: readonly SignIn[]) {
  const proxies = recent.flatMap(({ address, isForwarded }) => (isForwarded && address ? [address] : []));
  const named = [...new Set(proxies)].filter((address) => !isInside(address)).toSorted();
  if (named.length === 0) return [];
  const says = `${plural(named.length, "address", "addresses")} of sign-ins in the last 30 days forwarded for other clients.`;
  const cure =
    "If these are your proxies, add them to SLUICE_TRUSTED_PROXIES. Until then all clients behind one of them count as " +
    "one client.";
  return [note(says, { cure, details: named.slice(0, mostNamed) })];
}

function isOfProxy(address: Ip, people: number): boolean {
  return isInside(address) && (people > 1 || loopback.covering(blockOf(address)) === undefined);
}
