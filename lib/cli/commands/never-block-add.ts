import { at } from "../../at.ts";
import { protectRange } from "../../manage/lists/never-block.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { readAddresses, readReason } from "../operands.ts";

export const neverBlockAdd: Command = {
  name: "never-block add",
  takes: "<range>",
  operands: { least: 1, most: 1 },
  summary: "Protect a range: no blocklist entry that overlaps it is enforced",
  about: ["For offices, VPNs, health checks and partners. Existing entries are affected, too."],
  options: ["reason"],
  examples: ['sluice never-block add 192.0.2.0/24 --reason "the office"'],
  async run({ operands, options, writing }) {
    const range = at(readAddresses(operands, "range"), 0);
    const { context, awaitApplied } = await writing();
    const { change, outcome } = await protectRange(context, { range, reason: readReason(options) });
    const applied = await awaitApplied(change);
    const says = outcome === "added" ? "is now protected" : "is already protected. Nothing changed";
    return {
      lines: [`${range} ${says}.`, ...sayApplied(change, applied)],
      json: { range, outcome, change, applied },
    };
  },
};
