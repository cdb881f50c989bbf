import type { ProtectedRange } from "../../enforce/lists/protected.ts";
import type { AuditEnd } from "../../manage/audit/chain.ts";
import type { Seal } from "../../manage/audit/seal.ts";
import type { Connection } from "../../redis/connect.ts";

/** Result of a check. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "problem";
  /** State and cause. May contain untrusted text: make it printable. */
  readonly says: string;
  /** What to do. */
  readonly cure?: string;
  /** Single items, one per line. */
  readonly details?: readonly string[];
  /** Set for a finding about secrets, passwords or users, which other roles may not read. */
  readonly isForAdmins?: true;
  /** Set if Redis stopped answering, so that nothing was found out. */
  readonly isLost?: true;
}

/** Connections and settings that checks examine. */
export interface Patient {
  readonly redis: Connection;
  readonly url: string;
  /** The same as `url` if counters and lists share a Redis. */
  readonly countersUrl: string;
  readonly protectedRanges: readonly ProtectedRange[];
  /** Undefined without NEXTAUTH_SECRET. */
  readonly seal: Seal | undefined;
  /** Newest end of the audit log that this process has seen. */
  readonly seenEnd?: () => AuditEnd | undefined;
}

export interface Check {
  readonly name: string;
  /** Set for a check that reads much, and so runs rarely in the console. */
  readonly isThorough?: true;
  run(patient: Patient): Promise<readonly Omit<Finding, "check">[]>;
}

type Rest = Pick<Finding, "cure" | "details">;

export const ok = (says: string, rest?: Rest) => finding("ok", says, rest);
export const note = (says: string, rest?: Rest) => finding("note", says, rest);
export const problem = (says: string, rest?: Rest) => finding("problem", says, rest);

function finding(status: Finding["status"], says: string, rest?: Rest): Omit<Finding, "check"> {
  return { status, says, ...rest };
}

/** A count and its noun: "1 entry", "2 entries". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
