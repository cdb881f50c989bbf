import { type AuditRecord, aboutOf, type Standing } from "../audit/record.ts";
import { diffPolicies } from "../policy/diff.ts";
import type { Policy } from "../policy/schema.ts";
import { freshInstall, parsePolicy } from "../policy/stored.ts";
import { isGood, readVersion } from "../policy/versions.ts";
import type { Connection } from "../redis/connect.ts";
import { versionOf } from "./undoable.ts";

/** What a record changed of the policy, a sentence each; nothing when it is not about the policy, or no longer known. */
export async function policyDiff(
  redis: Connection,
  record: AuditRecord,
): Promise<readonly string[] | undefined> {
  if (!aboutOf(record).startsWith("policy.")) return undefined;
  const [change] = record.changes;
  if (!change) return undefined;
  const [before, after] = await Promise.all(
    [change.before, change.after].map((side) => policyOf(redis, side)),
  );
  return before && after && diffPolicies(before, after);
}

/** As it stands in the record, or, where that was too long, among the versions that are kept. */
async function policyOf(redis: Connection, standing: Standing | null): Promise<Policy | undefined> {
  if (standing === null) return freshInstall.policy;
  const parsed = parsePolicy(standing.value ?? "");
  if (parsed.ok) return parsed.stored.policy;
  const version = versionOf(standing);
  const kept = version === undefined ? undefined : await readVersion(redis, version);
  return kept && isGood(kept) ? kept.policy : undefined;
}
