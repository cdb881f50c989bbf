import * as z from "zod/mini";

/** An error of the API, as RFC 9457 has it. */
export const problemSchema = z.object({
  type: z.string(),
  /** Name of the status. */
  title: z.string(),
  status: z.number(),
  /** What is wrong, for programs. */
  code: z.string(),
  /** What is wrong, and what to do, for people. */
  detail: z.string(),
  /** What is wrong with single fields. */
  errors: z.optional(z.array(z.object({ field: z.string(), detail: z.string() }))),
  /** Set if it is unknown whether the change was written. */
  effect: z.optional(z.literal("unknown")),
});
export type ApiProblem = z.output<typeof problemSchema>;

export const problemType = "application/problem+json";
