import { at } from "../../at.ts";
import { checkPolicy } from "../../enforce/policy/schema.ts";
import { DomainError } from "../../errors.ts";
import { plural } from "../../observe/doctor/finding.ts";
import type { Command } from "../command.ts";
import { importExpressRateLimit } from "../import/express-rate-limit.ts";
import type { Imported, ImportedRule } from "../import/imported.ts";
import { importRackAttack } from "../import/rack-attack.ts";
import { importRateLimiterFlexible } from "../import/rate-limiter-flexible.ts";
import { importUpstash } from "../import/upstash.ts";
import { readText } from "../io.ts";

const importers = {
  "express-rate-limit": {
    read: importExpressRateLimit,
    file: "limits.js",
    language: "JavaScript or TypeScript",
  },
  "rate-limiter-flexible": {
    read: importRateLimiterFlexible,
    file: "limiter.ts",
    language: "JavaScript or TypeScript",
  },
  upstash: { read: importUpstash, file: "ratelimit.ts", language: "JavaScript or TypeScript" },
  "rack-attack": { read: importRackAttack, file: "config/initializers/rack_attack.rb", language: "Ruby" },
} as const satisfies Record<string, { read: (source: string) => Imported; file: string; language: string }>;

const mostBytes = 1_000_000;

/** The command that reads the configuration of one library. */
export function importFrom(library: keyof typeof importers): Command {
  const { read, file, language } = importers[library];
  return {
    name: `import ${library}`,
    takes: "<file|->",
    operands: { least: 1, most: 1 },
    summary: `Print a policy made of a ${language} file that uses ${library}`,
    about: [
      "Reads literal values alone, and runs nothing of the file. The policy is on standard output, with all rules in shadow. What it",
      "could not say, or says in another way, is on standard error, by line, with what to write instead. Nothing is written to Redis:",
      "policy set replaces all rules, policy add adds one.",
    ],
    options: [],
    examples: [`sluice import ${library} ${file} > policy.json`],
    async run({ operands, io }) {
      const { rules, notes } = read(await readText(at(operands, 0), io, mostBytes));
      if (rules.length === 0 && notes.length === 0) throw nothingFound(library);
      const policy = { mode: "enforce", rules: requireRules(rules), tiers: {} };
      const said = notes.flatMap(({ line, says, instead }) => [`line ${line}: ${says}`, `  ${instead}`]);
      const summary = `${plural(rules.length, "rule")} in shadow, ${plural(notes.length, "note")}.`;
      return {
        lines: JSON.stringify(policy, null, 2).split("\n"),
        complaints: [...said, summary],
        json: { policy, notes },
      };
    },
  };
}

function nothingFound(library: string): DomainError {
  const problem = `The file has nothing of ${library} that this command knows`;
  return new DomainError("bad-input", `${problem}. Give the file that makes the limiters.`, {
    file: problem,
  });
}

/** A mistake of an importer is an error here, not in `policy set`. */
function requireRules(rules: readonly ImportedRule[]): readonly ImportedRule[] {
  const checked = checkPolicy({ mode: "enforce", rules, tiers: {} });
  if (checked.ok) return rules;
  const problems = checked.problems.map(({ path, message }) => `  ${path}: ${message}.`);
  throw new DomainError("bad-input", ["The file makes no valid policy:", ...problems].join("\n"));
}
