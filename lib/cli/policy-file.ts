import { checkPolicy, type Policy } from "../enforce/policy/schema.ts";
import { DomainError } from "../errors.ts";
import { type Io, readText } from "./io.ts";
import { parseJson } from "./json-text.ts";

// Twice the size of 64 rules of the greatest length.
const mostBytes = 10_000_000;

/** JSON of a file, which may have comments and a `$schema`. */
export async function readPolicyJson(file: string, io: Io): Promise<unknown> {
  const json = parseJson(await readText(file, io, mostBytes));
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  const { $schema: _, ...given } = json as Readonly<Record<string, unknown>>;
  return given;
}

/** Policy of a file: the policy alone, or the output of `policy show --json`. */
export async function readPolicyFile(file: string, io: Io): Promise<{ given: unknown; madeFrom?: number }> {
  const json = await readPolicyJson(file, io);
  if (typeof json !== "object" || json === null || !("policy" in json)) return { given: json };
  const isNumbered = "version" in json && Number.isSafeInteger(json.version);
  return { given: json.policy, ...(isNumbered && { madeFrom: Number(json.version) }) };
}

/** The policy. Throws an error that lists every problem. */
export function requireAll(given: unknown, otherwise = "The policy was not saved"): Policy {
  const checked = checkPolicy(given);
  if (checked.ok) return checked.policy;
  const sentences = checked.problems.map(({ path, message }) => `  ${path}: ${message}.`);
  const fields = checked.problems.map(({ path, message }) => [path, message]);
  throw new DomainError("bad-input", [`${otherwise}:`, ...sentences].join("\n"), Object.fromEntries(fields));
}
