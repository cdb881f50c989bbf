import { DomainError } from "../errors.ts";
import { checkPolicy } from "../policy/check.ts";
import { diffPolicies } from "../policy/diff.ts";
import type { Policy } from "../policy/schema.ts";
import { checkBasis, setPolicy } from "../policy/set.ts";
import { type PolicyInForce, readPolicy } from "../policy/versions.ts";
import type { Command, Report } from "./command.ts";
import { readText } from "./file-text.ts";
import { parseJson } from "./json-text.ts";
import { readReason, readVersionNumber } from "./operands.ts";
import type { Options } from "./options.ts";
import { tellOvertaken } from "./policy-overtaken.ts";
import { sayDifference, tellSaved } from "./policy-saved.ts";

// A policy of 64 rules, each as long as can be, takes half of it.
const mostBytes = 10_000_000;

export const policySet: Command = {
  name: "policy set",
  takes: "<file|->",
  operands: { least: 1, most: 1 },
  summary: "Replace the policy by one that is written as JSON",
  about: [
    "Reads { mode, rules, tiers, edge }, or what policy show --json wrote, which also says which version it was made from.",
    "If another version is in force by then, nothing is saved, and you are told what changed and by whom; --based-on",
    "with the number of that one saves over it. With --dry-run you only see what would change.",
  ],
  options: ["reason", "based-on", "dry-run"],
  examples: [
    "sluice policy set policy.json --dry-run",
    'sluice policy set policy.json --reason "login needs its own limit"',
    "sluice policy show --json | sed s/429/503/ | sluice policy set -",
  ],
  async run({ operands: [file = "-"], options, io, writing }) {
    const { given, madeFrom } = unwrap(parseJson(await readText(file, io, mostBytes)));
    const wished = requireAll(given);
    const reason = readReason(options);
    const told = readBasedOn(options) ?? madeFrom;
    const session = await writing();
    const before = await readPolicy(session.redis);
    const basedOn = told ?? before.version;
    try {
      if (options.has("dry-run")) return foretell(before, wished, basedOn);
      const saved = await setPolicy(session.context, { policy: wished, basedOn, reason });
      return await tellSaved(session, before, wished, saved);
    } catch (error) {
      return tellOvertaken(session.redis, basedOn, error);
    }
  },
};

/** The number of the version that a change is made from, if it was given. */
export function readBasedOn(options: Options): number | undefined {
  const text = options.text("based-on");
  return text === undefined ? undefined : readVersionNumber(text, "based-on", "--based-on");
}

/** A policy alone, or one as `policy show --json` writes it. */
function unwrap(json: unknown): { given: unknown; madeFrom?: number } {
  if (typeof json !== "object" || json === null || !("policy" in json)) return { given: json };
  const isNumbered = "version" in json && Number.isSafeInteger(json.version);
  return { given: json.policy, ...(isNumbered && { madeFrom: Number(json.version) }) };
}

function requireAll(given: unknown): Policy {
  const checked = checkPolicy(given);
  if (checked.ok) return checked.policy;
  const told = checked.problems.map(({ path, message }) => `  ${path}: ${message}.`);
  const fields = checked.problems.map(({ path, message }) => [path, message]);
  throw new DomainError(
    "bad-input",
    ["The policy was not saved:", ...told].join("\n"),
    Object.fromEntries(fields),
  );
}

function foretell(before: PolicyInForce, wished: Policy, basedOn: number): Report {
  checkBasis(before, basedOn);
  const difference = diffPolicies(before.policy, wished);
  return {
    lines: [
      `Nothing was written. Since version ${before.version} there would be:`,
      ...sayDifference(difference),
    ],
    json: { dryRun: true, before: before.version, difference },
  };
}
