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
  return [said(problems, "problem"), said(notes, "note")].filter(Boolean).join(" and ");
}

function said(count: number, noun: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
