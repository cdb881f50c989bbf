import { at } from "../../at.ts";
import type { Command } from "../command.ts";
import { readReason, readVersionNumber } from "../operands.ts";
import { failOvertaken, reportSaved } from "../policy-saved.ts";
import { readBasedOn } from "./policy-set.ts";
import { readKept } from "./policy-show.ts";

export const policyRollback: Command = {
  name: "policy rollback",
  takes: "<version>",
  operands: { least: 1, most: 1 },
  summary: "Publish an earlier version of the policy again, as the next version",
  about: ["Rules, tiers and mode become those of that version. Version 0 is the policy of a fresh install."],
  options: ["reason", "based-on"],
  examples: ['sluice policy rollback 3 --reason "the new limit was too low"'],
  async run({ operands, options, writeAccess }) {
    const version = readVersionNumber(at(operands, 0), "version", "The version");
    const given = readBasedOn(options);
    const reason = readReason(options);
    const access = await writeAccess();
    const before = await access.readPolicy();
    // Without a basis, the printed difference might not be the one that was saved.
    const basedOn = given ?? before.version;
    const saved = await access
      .rollBack({ version, basedOn, reason })
      .catch((error: unknown) => failOvertaken(access, basedOn, error));
    const { policy: after } = await readKept(access, saved.version);
    return reportSaved(access, before, after, saved);
  },
};
