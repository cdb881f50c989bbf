import * as z from "zod/mini";
import { query, withParameters } from "./query.ts";

export const shadowReply = z.object({
  asOf: z.number(),
  /** Requests that the rule would have denied in the last hour, at all of its levels. */
  requests: z.number(),
  /** Those of them whose client is known. */
  counted: z.number(),
  /** In busy minutes there were more clients than are kept. */
  isCut: z.boolean(),
  clients: z.number(),
  /** All signed-in customers among them. */
  customers: z.array(z.string()),
  /** Customers first, then by requests. */
  top: z.array(
    z.object({
      client: z.string(),
      kind: z.enum(["ip", "customer", "rule"]),
      customerId: z.optional(z.string()),
      requests: z.number(),
    }),
  ),
});
export type ShadowReply = z.output<typeof shadowReply>;

/** The clients that a rule in shadow would have denied in the last hour. */
export const shadow = (rule: string) =>
  query(["shadow", rule], withParameters("/api/shadow", { rule }), shadowReply);
