import { eviction } from "../../../lib/doctor/eviction.ts";
import type { Patient } from "../../../lib/doctor/finding.ts";
import { persistence } from "../../../lib/doctor/persistence.ts";
import { atHome } from "../../../lib/redis/home.ts";

/** What could lose a list. */
const checks = [eviction, persistence];
const lookEveryMs = 60_000;

/** What about this Redis puts the lists at risk. Looked at once a minute, however many consoles ask. */
export async function readWarnings(patient: Patient, now = performance.now()): Promise<readonly string[]> {
  const held = atHome(`warnings ${patient.url}`, (): { at: number; found: readonly string[] } => ({
    at: Number.NEGATIVE_INFINITY,
    found: [],
  }));
  if (now - held.at >= lookEveryMs) {
    held.at = now;
    held.found = await look(patient).catch(() => held.found);
  }
  return held.found;
}

async function look(patient: Patient): Promise<string[]> {
  const findings = await Promise.all(checks.map((check) => check.look(patient)));
  return findings
    .flat()
    .filter(({ status }) => status === "problem")
    .map(({ says, cure }) => (cure === undefined ? says : `${says} ${cure}`));
}
