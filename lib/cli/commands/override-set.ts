import type { MembersChange } from "../../manage/overrides/members.ts";
import { requireName } from "../../manage/overrides/shared-override.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
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
  async run({ operands: [given = "", ...texts], options, io, readAccess, writeAccess }) {
    const name = requireName(given);
    const levels = texts.length > 0 ? readLevels(texts) : undefined;
    const tier = options.text("tier");
    const members = await readMembersChange(options, io);
    const expiresInMs = options.has("expires") ? readExpires(options) : undefined;
    if (options.has("dry-run")) {
      const found = await (await readAccess()).previewOverride({ name, levels, tier, members });
      return {
        lines: ["Nothing was written.", ...sayPreview(found, name)],
        json: { dryRun: true, ...found },
      };
    }
    const { saveOverride, awaitApplied, now } = await writeAccess();
    const { change, override, outcome } = await saveOverride({
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
