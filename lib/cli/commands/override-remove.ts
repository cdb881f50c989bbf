import { requireName } from "../../manage/overrides/shared-override.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { readReason } from "../operands.ts";
import { sayName } from "../override-words.ts";

export const overrideRemove: Command = {
  name: "override remove",
  takes: "<group|pattern>",
  operands: { least: 1, most: 1 },
  summary: "Remove the override of a group or pattern",
  about: [
    "Its customers have the limits that come next: of another group or pattern, of the session, of their tier.",
  ],
  options: ["reason"],
  examples: ["sluice override remove 'premium_*' --reason \"the launch is over\""],
  async run({ operands: [given = ""], options, writeAccess }) {
    const name = requireName(given);
    const { removeOverride, awaitApplied } = await writeAccess();
    const { change } = await removeOverride({ name, reason: readReason(options) });
    const applied = await awaitApplied(change);
    return {
      lines: [`The override of ${sayName(name)} is removed.`, ...sayApplied(change, applied)],
      json: { name, change, applied },
    };
  },
};
