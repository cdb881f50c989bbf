import type { Policy } from "../../enforce/policy/schema.ts";
import { freshInstall, parsePolicy } from "../../enforce/policy/stored.ts";
import { isGood, readVersion } from "../../enforce/policy/versions.ts";
import { type AuditRecord, aboutOf, type StoredValue } from "../../manage/audit/record.ts";
import { versionOf } from "../../manage/undo/undoable.ts";
import type { Connection } from "../../redis/connect.ts";
import { diffPolicies } from "../policy/diff.ts";

/** What a record changed of the policy, a sentence each. Undefined for other records, and where it is no longer known. */
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

/** The policy in the record, or, where that was too long, among the versions that are kept. */
async function policyOf(redis: Connection, standing: StoredValue | null): Promise<Policy | undefined> {
  if (standing === null) return freshInstall.policy;
  const parsed = parsePolicy(standing.value ?? "");
  if (parsed.ok) return parsed.stored.policy;
  const version = versionOf(standing);
  const kept = version === undefined ? undefined : await readVersion(redis, version);
  return kept && isGood(kept) ? kept.policy : undefined;
}
