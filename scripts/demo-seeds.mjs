// Fills the empty Redis of the demonstration with what four users of the console have done: users, lists, a policy, customers and
// their audit records. Everything goes through the verbs of the console and the command line.
import { openToWrite } from "../dist/cli/session.js";
import { parseCustomerId } from "../dist/enforce/customers/id.js";
import { readPolicy } from "../dist/enforce/policy/versions.js";
import { environment } from "../dist/env.js";
import { parseAddress } from "../dist/ip/parse.js";
import { recordRefusal } from "../dist/manage/audit/denied-attempts.js";
import { setOverride } from "../dist/manage/customers/set-override.js";
import { setTier } from "../dist/manage/customers/set-tier.js";
import { addEntries } from "../dist/manage/lists/add.js";
import { extendEntries } from "../dist/manage/lists/extend.js";
import { importEntries } from "../dist/manage/lists/import.js";
import { protectRange } from "../dist/manage/lists/never-block.js";
import { setPolicy } from "../dist/manage/policy/set.js";
import { undo } from "../dist/manage/undo/undo.js";
import { inviteUser } from "../dist/manage/users/invite.js";
import { overrides, policyVersions, tiers } from "./demo-policy.mjs";

/** @typedef {import("../dist/manage/users/roles.js").Role} Role */
/** @typedef {import("../dist/redis/keys.js").ListName} ListName */

/** The users of the demonstration. @type {Record<Role, string>} */
const users = {
  admin: "ada@example.org",
  staff: "ben@example.org",
  support: "sam@example.org",
  viewer: "vera@example.org",
};
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const { context, redis } = await openToWrite(environment());

/** The context of a user of the console. @param {Role} role */
const as = (role) => ({ ...context, actor: { name: users[role], via: "console" }, role });

for (const [role, email] of /** @type {[Role, string][]} */ (Object.entries(users)))
  await inviteUser(context, { email, role });
await seedSafelist();
await seedBlocklist();
await seedPolicy();
await seedCustomers();
await recordRefusal(as("viewer"), { action: "lists.add", reason: "role viewer may not do this" });
redis.disconnect();

async function seedSafelist() {
  await protectRange(as("admin"), { range: address("192.0.2.224/28"), reason: "Office and VPN" });
  await add("admin", "safelist", ["198.51.100.16/28"], "Campus: 4,000 students behind one range", null);
  await add("admin", "safelist", ["2001:db8:5::/64"], "Payment provider's callbacks", null);
  await add("staff", "safelist", ["203.0.113.201"], "Uptime monitor", 7 * dayMs);
  const partners =
    "192.0.2.129,30d,Partner: warehouse\n192.0.2.130,30d,Partner: shipping\n192.0.2.144/29,90d,Partner: returns\n";
  await importEntries(as("admin"), { list: "safelist", text: partners, reason: "Partners of this quarter" });
}

async function seedBlocklist() {
  await add("staff", "blocklist", ["203.0.113.12", "203.0.113.13"], "Credential stuffing on /session", dayMs);
  await add("staff", "blocklist", ["203.0.113.45"], "Scrapes prices, 40 requests a second", 2 * hourMs);
  await add("admin", "blocklist", ["198.51.100.160/28"], "Scanner range of one host", 14 * dayMs);
  await add("staff", "blocklist", ["2001:db8:77::5"], "Spam in reviews", 7 * dayMs);
  await add("admin", "blocklist", ["2001:db8:beef::/48"], "Crawler that ignores robots.txt", 30 * dayMs);
  await add("admin", "blocklist", ["198.51.100.77"], "Uses a leaked API key", null);
  const scanners = Array.from({ length: 12 }, (_, i) => `203.0.113.${160 + i},7d,Abuse feed: port scan\n`);
  await importEntries(as("staff"), {
    list: "blocklist",
    text: scanners.join(""),
    reason: "Weekly abuse feed",
  });
  await extendEntries(as("staff"), {
    list: "blocklist",
    addresses: [address("203.0.113.12")],
    reason: "Attack continues",
    life: { forMs: 6 * dayMs },
  });
  const mistake = await add(
    "staff",
    "blocklist",
    ["198.51.100.201"],
    "Many sign-ins from one address",
    dayMs,
  );
  if (mistake !== null) await undo(as("admin"), { n: mistake, reason: "Office of a customer, says support" });
}

/** Adds entries and returns the number of their record.
 * @param {Role} role @param {ListName} list @param {string[]} texts @param {string} reason @param {number | null} ttlMs
 */
async function add(role, list, texts, reason, ttlMs) {
  const addresses = texts.map(address);
  const { outcomes, record } = await addEntries(as(role), { list, addresses, reason, ttlMs });
  const refused = outcomes.find(({ outcome }) => outcome === "refused");
  if (refused) throw new Error(`${refused.address} was refused`);
  return record;
}

async function seedPolicy() {
  for (const { reason, change } of policyVersions) {
    const { policy, version } = await readPolicy(redis);
    await setPolicy(as("admin"), { policy: change(policy), basedOn: version, reason });
  }
}

async function seedCustomers() {
  for (const [id, tier] of Object.entries(tiers))
    await setTier(as("support"), { id: customer(id), tier, reason: `Subscribed to ${tier}` });
  for (const { id, levels, days, reason } of overrides)
    await setOverride(as("support"), { id: customer(id), levels, expiresInMs: days * dayMs, reason });
}

/** @param {string} text */
function address(text) {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

/** @param {string} text */
function customer(text) {
  const parsed = parseCustomerId(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}
