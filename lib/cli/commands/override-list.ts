import { requireName } from "../../manage/overrides/shared-override.ts";
import type { Command } from "../command.ts";
import { until } from "../moment.ts";
import { sayName, sayShared, sayUse, sharedRow, sharedToJson } from "../override-words.ts";
import { columns, printable } from "../terminal.ts";

export const overrideList: Command = {
  name: "override list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "List the overrides of groups and patterns, in the order in which they win",
  about: ["When a check last used each is known to the minute."],
  options: [],
  examples: ["sluice override list", "sluice override list --json | jq '.[].name'"],
  async run({ readAccess }) {
    const { listOverrides, now } = await readAccess();
    const { overrides, olderNodes } = await listOverrides();
    const rows = overrides.map((one) => sharedRow(one, now()).map(printable));
    return {
      lines:
        rows.length === 0
          ? ["No overrides of groups or patterns."]
          : columns([["NAME", "CUSTOMERS", "LIMITS", "END", "LAST USED"], ...rows]),
      complaints:
        overrides.length > 0 && olderNodes.length > 0
          ? [`Nodes of an older version ignore them: ${printable(olderNodes.join(", "))}.`]
          : [],
      json: overrides.map(({ usedAt, ...one }) => ({ ...sharedToJson(one), usedAt: usedAt ?? null })),
    };
  },
};

export const overrideShow: Command = {
  name: "override show",
  takes: "<group|pattern>",
  operands: { least: 1, most: 1 },
  summary: "Show the override of a group or pattern, with the customers of the group",
  about: ["--json has all customers, for another --customers."],
  options: [],
  examples: ["sluice override show beta", "sluice override show beta --json | jq -r '.customers[]'"],
  async run({ operands: [given = ""], readAccess }) {
    const name = requireName(given);
    const { findOverride, now } = await readAccess();
    const { override: found, customers } = await findOverride(name);
    const { isEnded, isTierKnown, expiresAt, reason, by, at, usedAt, ...one } = found;
    const end = isEnded ? "ended" : until(expiresAt, now());
    return {
      lines: [
        `The ${sayName(name)} has ${sayShared(found)}, ${end}, ${sayUse(found, now())}.`,
        ...(isTierKnown ? [] : ["NOT ENFORCED: the policy has no such tier."]),
        printable(`By ${by} at ${at}${reason === "" ? "" : ` (${reason})`}.`),
        ...customers,
      ],
      json: { ...sharedToJson({ ...one, expiresAt, reason, by, at }), usedAt: usedAt ?? null, customers },
    };
  },
};
