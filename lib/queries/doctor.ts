import { z } from "zod";
import { query } from "./query.ts";

const finding = z.object({
  check: z.string(),
  status: z.enum(["ok", "note", "problem"]),
  /** What is. */
  says: z.string(),
  /** What to do about it. */
  cure: z.string().optional(),
  /** One thing a line, where there are several. */
  details: z.array(z.string()).optional(),
  /** Ms */
  lookedAt: z.number(),
});
export type DoctorFinding = z.output<typeof finding>;

const reply = z.object({
  findings: z.array(finding),
  /** Checks that still look. */
  looking: z.array(z.string()),
});
export type DoctorReport = z.output<typeof reply>;

/** What is wrong with this Sluice, in words, and what to do about it. */
export function doctor() {
  return query(["doctor"], "/api/doctor", reply);
}

/** The same, with what is looked at only now and then looked at anew. */
export function doctorAgain() {
  return query(["doctor"], "/api/doctor?again=1", reply);
}
