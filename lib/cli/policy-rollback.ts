import { rollBackTo } from "../policy/roll-back.ts";
import { readPolicy } from "../policy/versions.ts";
import type { Command } from "./command.ts";
import { readReason, readVersionNumber } from "./operands.ts";
import { tellOvertaken } from "./policy-overtaken.ts";
import { tellSaved } from "./policy-saved.ts";
import { readBasedOn } from "./policy-set.ts";
import { readKept } from "./policy-show.ts";

export const policyRollback: Command = {
  name: "policy rollback",
  takes: "<version>",
  operands: { least: 1, most: 1 },
  summary: "Bring an earlier version of the policy back, as the next one",
  about: [
    "Rules, tiers and mode become what they were then; no version is lost. 0 is the one of a fresh install.",
  ],
  options: ["reason", "based-on"],
  examples: ['sluice policy rollback 3 --reason "the new limit was too low"'],
  async run({ operands: [text = ""], options, writing }) {
    const version = readVersionNumber(text, "version", "The version");
    const told = readBasedOn(options);
    const reason = readReason(options);
    const session = await writing();
    const before = await readPolicy(session.redis);
    // Else the difference that is told might not be the one that was made.
    const basedOn = told ?? before.version;
    const saved = await rollBackTo(session.context, { version, basedOn, reason }).catch((error: unknown) =>
      tellOvertaken(session.redis, basedOn, error),
    );
    const { policy: after } = await readKept(session.redis, saved.version);
    return tellSaved(session, before, after, saved);
  },
};
