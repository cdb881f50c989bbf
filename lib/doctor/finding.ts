import type { Seal } from "../audit/seal.ts";
import type { ProtectedRange } from "../lists/protected.ts";
import type { Connection } from "../redis/connect.ts";

/** What one look has shown. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "problem";
  /** What is. May hold what a stranger wrote: make it printable. */
  readonly says: string;
  /** What to do about it. */
  readonly cure?: string;
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
  /** It reads much, so whoever looks all the time leaves it out for a while. */
  readonly isThorough?: true;
  look(patient: Patient): Promise<readonly Omit<Finding, "check">[]>;
}

type Rest = Pick<Finding, "cure" | "details">;

export const ok = (says: string, rest?: Rest) => finding("ok", says, rest);
export const note = (says: string, rest?: Rest) => finding("note", says, rest);
export const problem = (says: string, rest?: Rest) => finding("problem", says, rest);

function finding(status: Finding["status"], says: string, rest?: Rest): Omit<Finding, "check"> {
  return { status, says, ...rest };
}
