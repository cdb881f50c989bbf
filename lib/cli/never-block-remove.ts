import { DomainError } from "../errors.ts";
import { unprotectRange } from "../lists/never-block.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import type { Command } from "./command.ts";
import { readAddresses, readReason } from "./operands.ts";

export const neverBlockRemove: Command = {
  name: "never-block remove",
  takes: "<range>",
  operands: { least: 1, most: 1 },
  summary: "Let a range be blocked again",
  about: [
    "Loopback, SLUICE_TRUSTED_PROXIES and SLUICE_NEVER_BLOCK stay protected: only the environment changes those.",
  ],
  options: ["reason"],
  examples: ["sluice never-block remove 192.0.2.0/24"],
  async run({ operands, options, writing }) {
    const [range] = readAddresses(operands, "range");
    if (!range) return { lines: [], json: {} };
    const { context, redis } = await writing();
    const { change } = await unprotectRange(context, { range, reason: readReason(options) }).catch(orAbsent);
    const applied = await awaitApplied(redis, change);
    const outcome = change === null ? "absent" : "removed";
    const says = change === null ? "was not protected by Redis. Nothing changed" : "may be blocked again";
    return {
      lines: [`${range} ${says}.`, ...sayApplied(change, applied)],
      json: { range, outcome, change, applied },
    };
  },
};

/** As with the lists: what is not there is as good as removed. */
function orAbsent(error: unknown): { change: null } {
  if (error instanceof DomainError && error.code === "not-found") return { change: null };
  throw error;
}
