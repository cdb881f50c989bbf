import * as z from "zod/mini";
import { query } from "./query.ts";

const finding = z.object({
  check: z.string(),
  status: z.enum(["ok", "note", "problem"]),
  /** The state. */
  says: z.string(),
  /** What to do about it. */
  cure: z.optional(z.string()),
  /** One item a line, where there are several. */
  details: z.optional(z.array(z.string())),
  /** Ms */
  lookedAt: z.number(),
});
export type DoctorFinding = z.output<typeof finding>;

const reply = z.object({
  findings: z.array(finding),
  /** Checks that are still running. */
  looking: z.array(z.string()),
  /** False for a role that may not read findings about secrets and passwords. */
  hasAll: z.boolean(),
});
export type DoctorReport = z.output<typeof reply>;

/** Problems of this installation, in words, and what to do about them. */
export function doctor() {
  return query(["doctor"], "/api/doctor", reply);
}

/** The same, with the checks that run rarely run again now. */
export function doctorAgain() {
  return query(["doctor"], "/api/doctor?again=1", reply);
}
