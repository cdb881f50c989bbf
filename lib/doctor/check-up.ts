import { bare, isForbidden, isLost } from "../redis/trouble.ts";
import { audit } from "./audit.ts";
import { clock } from "./clock.ts";
import { connection } from "./connection.ts";
import { counters } from "./counters.ts";
import { customers } from "./customers.ts";
import { edge } from "./edge.ts";
import { entries } from "./entries.ts";
import { eviction } from "./eviction.ts";
import { type Check, type Finding, note, type Patient, problem } from "./finding.ts";
import { nodes } from "./nodes.ts";
import { persistence } from "./persistence.ts";
import { policy } from "./policy.ts";
import { scripts } from "./scripts.ts";
import { serverVersion } from "./server-version.ts";
import { tracking } from "./tracking.ts";

export type { Finding, Patient } from "./finding.ts";

export const checks: readonly Check[] = [
  ...[connection, serverVersion, eviction, persistence, clock, scripts, tracking, counters],
  ...[nodes, entries, policy, customers, edge, audit],
];

/** Looks at everything, one check after the other, and never throws. Without a connection the rest is left out. */
export async function checkUp(patient: Patient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const found = await examine(check, patient);
    findings.push(...found);
    if (check === connection && found.some(({ status }) => status === "problem")) break;
  }
  return findings;
}

/** What one check finds; that it could not look is a finding, too. */
export async function examine(check: Check, patient: Patient): Promise<Finding[]> {
  const found = await check.look(patient).catch(unexamined);
  return found.map((finding) => ({ check: check.name, ...finding }));
}

function unexamined(error: unknown): Omit<Finding, "check">[] {
  const message = bare(error instanceof Error ? error.message : String(error));
  if (isForbidden(error)) {
    const says = `This could not be looked at, because the Redis user may not: ${message}.`;
    return [note(says, { cure: "Ask with another user." })];
  }
  if (isLost(error)) {
    return [problem(`Redis stopped answering meanwhile (${message}).`, { cure: "Look again." })];
  }
  return [problem(`This could not be looked at: ${message}.`)];
}
