import { isPattern } from "../../enforce/customers/id.ts";
import { readMembers } from "../../enforce/customers/stored-limits.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { changeMembers, type MembersChange, membersOf } from "../../manage/overrides/members.ts";
import { saveSharedOverride } from "../../manage/overrides/save-shared.ts";
import { readShared, requireName } from "../../manage/overrides/shared-override.ts";
import { listCustomers } from "../../observe/customers/search.ts";
import { type KnownCustomer, previewSharedOverride } from "../../observe/overrides/override-effect.ts";
import { ClientCounts } from "../../observe/stats/client-counts.ts";
import type { Connection } from "../../redis/connect.ts";
import { sayApplied } from "../applied.ts";
import type { Command, CommandReport } from "../command.ts";
import { type Io, readText } from "../io.ts";
import { until } from "../moment.ts";
import { readExpires, readLevels, readReason } from "../operands.ts";
import type { GivenOptions } from "../options.ts";
import { sayName, sayPreview, sayShared, sharedToJson } from "../override-words.ts";

const longestList = 1_000_000;

export const overrideSet: Command = {
  name: "override set",
  takes: "<group|pattern> [limit/period…]",
  operands: { least: 1, most: Number.POSITIVE_INFINITY },
  summary: "Give limits to a group of customers, or to all whose ID matches a pattern",
  about: [
    "A name with * is a pattern: premium_* has all customers whose ID begins so. Any other name is a group, a list of customers.",
    "Give all levels at once, or a tier. What is left out stays as it is: levels, end and customers of the group.",
    "A customer's own override wins, then groups by name, then the pattern with most letters, then what the app's session",
    "gives, then the tier. --dry-run shows who gets the limits, and who of the last hour would have been denied.",
    "While nodes of an older version run, nothing is saved, because they ignore it; --even-with-old-nodes saves all the same.",
  ],
  options: ["tier", "expires", "customers", "with", "without", "dry-run", "even-with-old-nodes", "reason"],
  examples: [
    "sluice override set 'premium_*' 20000/1h",
    'sluice override set beta --tier pro --customers beta.txt --expires 30d --reason "beta"',
    "sluice override set beta --with acme --without globex",
  ],
  async run({ operands: [given = "", ...texts], options, io, reading, writing }) {
    const name = requireName(given);
    const levels = texts.length > 0 ? readLevels(texts) : undefined;
    const tier = options.text("tier");
    const members = await readMembersChange(options, io);
    const expiresInMs = options.has("expires") ? readExpires(options) : undefined;
    if (options.has("dry-run")) return preview((await reading()).redis, name, { levels, tier, members });
    const { context, awaitApplied, now } = await writing();
    const { change, override, outcome } = await saveSharedOverride(context, {
      ...{ name, levels, tier, members, expiresInMs, reason: readReason(options) },
      isOldIgnored: options.has("even-with-old-nodes"),
    });
    const applied = await awaitApplied(change);
    const nothing = outcome === "kept" ? " Nothing changed." : "";
    const of = override.members ? `, ${override.members.count} customers` : "";
    return {
      lines: [
        `The ${sayName(name)} has ${sayShared(override)}, ${until(override.expiresAt, now())}${of}.${nothing}`,
        ...sayApplied(change, applied),
      ],
      json: { override: sharedToJson(override), outcome, change, applied },
    };
  },
};

async function readMembersChange(options: GivenOptions, io: Io): Promise<MembersChange | undefined> {
  const file = options.text("customers");
  const [add, remove] = [options.texts("with"), options.texts("without")];
  if (file === undefined && add.length === 0 && remove.length === 0) return undefined;
  const text = file === undefined ? undefined : await readText(file, io, longestList);
  const set = text?.split(/[\s,;]+/).filter((id) => id !== "");
  return { ...(set && { set }), add, remove };
}

interface WantedOverride {
  readonly levels: readonly Level[] | undefined;
  readonly tier: string | undefined;
  readonly members: MembersChange | undefined;
}

/** What saving would do. Writes nothing. */
async function preview(redis: Connection, name: string, wanted: WantedOverride): Promise<CommandReport> {
  const [all, { policy }] = await Promise.all([readShared(redis), readPolicy(redis)]);
  const before = all.find((one) => one.name === name);
  const tier = wanted.tier ?? (wanted.levels ? undefined : before?.tier);
  const ofTier = tier === undefined ? undefined : policy.tiers[tier]?.levels;
  const levels = wanted.levels ?? ofTier ?? before?.levels ?? [];
  const ids = before ? await membersOf(redis, before) : [];
  const members = isPattern(name) ? [] : readMembers(changeMembers(ids, wanted.members ?? {}).text);
  const [seconds = 0] = await redis.time();
  const source = { redis, clients: new ClientCounts(redis), customers: await everyone(redis) };
  const found = await previewSharedOverride(source, { name, levels, members }, Number(seconds) * 1_000);
  return { lines: ["Nothing was written.", ...sayPreview(found, name)], json: { dryRun: true, ...found } };
}

async function everyone(redis: Connection): Promise<KnownCustomer[]> {
  const found = new Map<string, KnownCustomer>();
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof listCustomers>> = await listCustomers(redis, { cursor });
    for (const customer of page.customers) found.set(customer.id, customer);
    cursor = page.cursor;
  }
  return [...found.values()];
}
