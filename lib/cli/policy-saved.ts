import { diffPolicies } from "../policy/diff.ts";
import type { Saved } from "../policy/save.ts";
import type { Policy } from "../policy/schema.ts";
import type { PolicyInForce } from "../policy/versions.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import type { Report } from "./command.ts";
import type { Session } from "./session.ts";

/** What a saved policy changes of the one before, and how far it got. */
export async function tellSaved(
  { redis }: Session,
  before: PolicyInForce,
  after: Policy,
  { change, version }: Saved,
): Promise<Report> {
  const applied = await awaitApplied(redis, change);
  const difference = diffPolicies(before.policy, after);
  const sum =
    change === null
      ? `Version ${version} says the same already. Nothing changed.`
      : `Version ${version} is saved. Since version ${before.version}:`;
  return {
    lines: [sum, ...(change === null ? [] : sayDifference(difference)), ...sayApplied(change, applied)],
    complaints: sayReplaced(before, change !== null),
    json: { version, before: before.version, difference, change, applied },
  };
}

export function sayDifference(difference: readonly string[]): string[] {
  return difference.length > 0 ? difference.map((sentence) => `  ${sentence}`) : ["  Nothing is different."];
}

/** What stood in Redis was no policy, so the comparison is with the last one that was. */
function sayReplaced({ problem, version }: PolicyInForce, isReplaced: boolean): string[] {
  if (problem === undefined || !isReplaced) return [];
  return [`What was replaced nobody obeyed: ${problem}. Nodes kept version ${version}.`];
}
