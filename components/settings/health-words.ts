import { counted } from "@/components/ui/value-text.ts";
import type { DoctorFinding, DoctorReport } from "@/lib/queries/doctor.ts";

const order = { problem: 0, note: 1, ok: 2 } as const;

/** The worst first; otherwise as doctor looks. */
export function inOrder(findings: readonly DoctorFinding[]): DoctorFinding[] {
  return findings.toSorted((a, b) => order[a.status] - order[b.status]);
}

/** "2 problems and 1 note", "No problems". Says no more than this role may know. */
export function sayHealth({ findings, looking, hasAll }: DoctorReport): string {
  const count = (status: DoctorFinding["status"]) =>
    findings.filter((finding) => finding.status === status).length;
  const [problems, notes] = [count("problem"), count("note")];
  if (problems + notes === 0) {
    const what = hasAll ? "No problems" : "No problems in the checks below";
    return looking.length > 0 ? `${what} so far` : what;
  }
  const said = [problems > 0 && counted(problems, "problem"), notes > 0 && counted(notes, "note")];
  return said.filter(Boolean).join(" and ");
}
