import { bare, isForbidden, isLost } from "../../redis/error-kinds.ts";
import { audit } from "./check-audit.ts";
import { clock } from "./check-clock.ts";
import { connection } from "./check-connection.ts";
import { counters } from "./check-counters.ts";
import { customers } from "./check-customers.ts";
import { defaultTier } from "./check-default-tier.ts";
import { edge } from "./check-edge.ts";
import { entries } from "./check-entries.ts";
import { eviction } from "./check-eviction.ts";
import { firstAdmin } from "./check-first-admin.ts";
import { nodes } from "./check-nodes.ts";
import { overrides } from "./check-overrides.ts";
import { persistence } from "./check-persistence.ts";
import { policy } from "./check-policy.ts";
import { scripts } from "./check-scripts.ts";
import { serverVersion } from "./check-server-version.ts";
import { signIns } from "./check-sign-ins.ts";
import { tracking } from "./check-tracking.ts";
import { type Check, type Finding, note, type Patient, problem } from "./finding.ts";

export type { Finding, Patient } from "./finding.ts";

export const checks: readonly Check[] = [
  ...[connection, serverVersion, eviction, persistence, clock, scripts, tracking, counters],
  ...[nodes, entries, policy, customers, overrides, defaultTier, edge, signIns, firstAdmin, audit],
];

/** Runs all checks, one after the other. Never throws. Without a connection the other checks are skipped. */
export async function checkUp(patient: Patient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const found = await examine(check, patient);
    findings.push(...found);
    if (check === connection && found.some(({ status }) => status === "problem")) break;
  }
  return findings;
}

/** Findings of one check. A check that fails is a finding, too. */
export async function examine(check: Check, patient: Patient): Promise<Finding[]> {
  const found = await check.run(patient).catch(failedCheck);
  return found.map((finding) => ({ check: check.name, ...finding }));
}

function failedCheck(error: unknown): Omit<Finding, "check">[] {
  const message = bare(error instanceof Error ? error.message : String(error));
  if (isForbidden(error)) {
    const says = `Not checked, because the Redis user is not allowed to: ${message}.`;
    return [note(says, { cure: "Run the check as another user." })];
  }
  if (isLost(error)) {
    const says = `Redis stopped answering during the check (${message}).`;
    return [{ ...problem(says, { cure: "Run the check again." }), isLost: true }];
  }
  return [problem(`The check failed: ${message}.`)];
}
