import { at } from "../../at.ts";
import { plural } from "../../observe/doctor/finding.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { readCustomerId, readReason } from "../operands.ts";

export const customerReset: Command = {
  name: "customer reset",
  takes: "<id>",
  operands: { least: 1, most: 1 },
  summary: "Delete a customer's counters",
  about: [
    "Its tier and levels stay. Counters of the customer together with something else (an address, a path) stay, too.",
  ],
  options: ["reason"],
  examples: ['sluice customer reset acme --reason "their retry loop is fixed"'],
  async run({ operands, options, writeAccess }) {
    const id = readCustomerId(at(operands, 0));
    const reason = readReason(options);
    const { resetCounters, awaitApplied } = await writeAccess();
    const { change, deleted } = await resetCounters({ id, reason });
    const applied = await awaitApplied(change);
    return {
      lines: [
        `Counters of ${id} are reset: ${plural(deleted, "counter")} deleted.`,
        ...sayApplied(change, applied),
      ],
      json: { id, deleted, change, applied },
    };
  },
};
