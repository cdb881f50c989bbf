import { at } from "../../at.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { DomainError } from "../../errors.ts";
import type { Command } from "../command.ts";
import { readReason } from "../operands.ts";
import { readPolicyJson, requireAll } from "../policy-file.ts";
import { failOvertaken, reportSaved } from "../policy-saved.ts";
import { previewPolicy } from "./policy-set.ts";

export const policyAdd: Command = {
  name: "policy add",
  takes: "<file|->",
  operands: { least: 1, most: 1 },
  summary: "Add one rule from a JSON file, or change one",
  about: [
    "Reads { name, client, algorithm, levels, … }, like one of the rules that policy show --json prints. The rule becomes the",
    "last one of its kind: { name, action, match, … } denies or exempts requests. Its name must be new; with --replace it takes the",
    "place of the rule of its name. --dry-run shows what would change.",
  ],
  options: ["reason", "dry-run", "replace"],
  examples: [
    "sluice policy add login.json --dry-run",
    'sluice policy add login.json --reason "login needs its own limit"',
    'sluice policy add login.json --replace --reason "10 a minute are enough"',
  ],
  async run({ operands, options, io, writeAccess }) {
    const rule = requireRule(await readPolicyJson(at(operands, 0), io));
    const reason = readReason(options);
    const access = await writeAccess();
    const before = await access.readPolicy();
    const policy = withRule(before.policy, rule, options.has("replace"));
    if (options.has("dry-run")) return previewPolicy(before, policy, before.version);
    const saved = await access
      .setPolicy({ policy, basedOn: before.version, reason })
      .catch((error: unknown) => failOvertaken(access, before.version, error));
    return reportSaved(access, before, policy, saved);
  },
};

/** The rule. Throws for a whole policy, which is a likely mistake. */
function requireRule(given: unknown): unknown {
  if (typeof given !== "object" || given === null || !("rules" in given || "policy" in given)) return given;
  throw new DomainError("bad-input", "This is a whole policy. To replace the policy, use sluice policy set.");
}

function withRule(policy: Policy, rule: unknown, isReplacing: boolean): Policy {
  const given = typeof rule === "object" && rule !== null ? rule : {};
  const list = "action" in given ? "requestRules" : "rules";
  const rules: readonly { readonly name: string }[] = policy[list] ?? [];
  if (!isReplacing) return requireAll({ ...policy, [list]: [...rules, rule] });
  const name = "name" in given ? given.name : undefined;
  const place = rules.findIndex((one) => one.name === name);
  if (place >= 0) return requireAll({ ...policy, [list]: rules.map((one, i) => (i === place ? rule : one)) });
  throw new DomainError(
    "bad-input",
    `There is no rule named ${JSON.stringify(name ?? "")}. Leave --replace out to add it.`,
    { name: "no rule has this name" },
  );
}
