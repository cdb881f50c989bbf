import type { Seal } from "../../audit/seal.ts";
import type { ProtectedRange } from "../../lists/protected.ts";
import type { Connection } from "../../redis/connect.ts";

/** What one look has shown. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "problem";
  /** What is, and what to do about it. May hold what a stranger wrote: make it printable. */
  readonly says: string;
  /** One thing a line, where there are several. */
  readonly details?: readonly string[];
}

/** What a check may look at. */
export interface Patient {
  readonly redis: Connection;
  readonly url: string;
  /** The same as `url` when counters live beside the lists. */
  readonly countersUrl: string;
  readonly protectedRanges: readonly ProtectedRange[];
  /** Missing without NEXTAUTH_SECRET. */
  readonly seal: Seal | undefined;
}

export interface Check {
  readonly name: string;
  look(patient: Patient): Promise<readonly Omit<Finding, "check">[]>;
}

export const ok = (says: string, details?: readonly string[]) => finding("ok", says, details);
export const note = (says: string, details?: readonly string[]) => finding("note", says, details);
export const problem = (says: string, details?: readonly string[]) => finding("problem", says, details);

function finding(
  status: Finding["status"],
  says: string,
  details?: readonly string[],
): Omit<Finding, "check"> {
  return { status, says, ...(details && { details }) };
}
