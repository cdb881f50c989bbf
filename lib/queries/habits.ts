import * as z from "zod/mini";

/** Part of the requests of a client or customer, from 0 to 1, by the samples of it. */
export const shareOf = z.object({ text: z.string(), share: z.number() });

/** Counts know denials; samples know more. */
const outcome = z.enum(["pass", "safelisted", "blocked", "throttled", "denied", "not-denied"]);

/** How many samples were kept, and from when to when. */
export const keptSamples = z.object({ count: z.number(), from: z.number(), until: z.number() });

/** What a client or customer requests. Nodes keep samples, so these are shares and no counts. */
export const habits = z.object({
  /** Of the last 24 h. Null: none was kept. */
  samples: z.nullable(keptSamples),
  apps: z.array(shareOf),
  requests: z.array(z.extend(shareOf, { method: z.string() })),
  userAgents: z.array(z.extend(shareOf, { tool: z.optional(z.string()) })),
  /** Empty where requests were not counted. */
  outcomes: z.array(z.extend(shareOf, { text: outcome })),
  /** Rules and entries that denied, or would have denied in shadow: their shares of the denials. */
  denyingRules: z.array(shareOf),
});
export type Habits = z.output<typeof habits>;
