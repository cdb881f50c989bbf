import type { Policy } from "../enforce/policy/schema.ts";
import { isGood, type PolicyInForce } from "../enforce/policy/versions.ts";
import { DomainError } from "../errors.ts";
import type { SavedPolicy } from "../manage/policy/save.ts";
import { diffPolicies } from "../observe/policy/diff.ts";
import type { ReadAccess, WriteAccess } from "./access/access.ts";
import { sayApplied } from "./applied.ts";
import type { CommandReport } from "./command.ts";

/** Reports a saved policy: the difference to the one before, and on how many nodes it is applied. */
export async function reportSaved(
  { awaitApplied }: Pick<WriteAccess, "awaitApplied">,
  before: PolicyInForce,
  after: Policy,
  { change, version }: SavedPolicy,
): Promise<CommandReport> {
  const applied = await awaitApplied(change);
  const difference = diffPolicies(before.policy, after);
  const sum =
    change === null
      ? `Version ${version} is already the same. Nothing changed.`
      : `Version ${version} is saved. Since version ${before.version}:`;
  return {
    lines: [sum, ...(change === null ? [] : sayDifference(difference)), ...sayApplied(change, applied)],
    complaints: sayReplaced(before, change !== null),
    json: { version, before: before.version, difference, change, applied },
  };
}

export function sayDifference(difference: readonly string[]): string[] {
  return difference.length > 0 ? difference.map((sentence) => `  ${sentence}`) : ["  No difference."];
}

/** Warns that Redis held no valid policy, so that the difference is to the last valid one. */
function sayReplaced({ problem, version }: PolicyInForce, isReplaced: boolean): string[] {
  if (problem === undefined || !isReplaced) return [];
  return [`The replaced policy was not enforced: ${problem}. Nodes kept version ${version}.`];
}

/** Adds to the error what changed since the basis, if that version is still stored. */
export async function failOvertaken(
  { readVersion, readPolicy }: Pick<ReadAccess, "readVersion" | "readPolicy">,
  basedOn: number,
  error: unknown,
): Promise<never> {
  if (!(error instanceof DomainError) || error.code !== "changed-since") throw error;
  const [basis, inForce] = await Promise.all([readVersion(basedOn), readPolicy()]);
  if (basis === undefined || !isGood(basis)) throw error;
  const changed = sayDifference(diffPolicies(basis.policy, inForce.policy));
  const message = [error.message, `What changed since version ${basedOn}:`, ...changed].join("\n");
  throw new DomainError(error.code, message, { ...error.fields }, { cause: error });
}
