import { at } from "../../at.ts";
import { unprotectRange } from "../../manage/lists/never-block.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { orAbsent } from "../failure.ts";
import { readAddresses, readReason } from "../operands.ts";

export const neverBlockRemove: Command = {
  name: "never-block remove",
  takes: "<range>",
  operands: { least: 1, most: 1 },
  summary: "Remove the protection of a range",
  about: [
    "Loopback, SLUICE_TRUSTED_PROXIES and SLUICE_NEVER_BLOCK stay protected: change those in the environment.",
  ],
  options: ["reason"],
  examples: ["sluice never-block remove 192.0.2.0/24"],
  async run({ operands, options, writing }) {
    const range = at(readAddresses(operands, "range"), 0);
    const { context, awaitApplied } = await writing();
    const { change } = await unprotectRange(context, { range, reason: readReason(options) }).catch(orAbsent);
    const applied = await awaitApplied(change);
    const outcome = change === null ? "absent" : "removed";
    const says = change === null ? "is not protected by Redis. Nothing changed" : "is no longer protected";
    return {
      lines: [`${range} ${says}.`, ...sayApplied(change, applied)],
      json: { range, outcome, change, applied },
    };
  },
};
