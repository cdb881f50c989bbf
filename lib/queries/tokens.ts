import * as z from "zod/mini";
import { query } from "./query.ts";

const token = z.object({
  name: z.string(),
  scopes: z.array(z.string()),
  app: z.optional(z.string()),
  by: z.string(),
  /** ISO; "" if it is unknown. */
  at: z.string(),
  /** ISO; null never expires. */
  until: z.nullable(z.string()),
  /** First characters of the secret. */
  start: z.string(),
  /** Null for a token that was never used. */
  lastUse: z.nullable(z.object({ at: z.string(), address: z.nullable(z.string()) })),
});
export type TokenRow = z.output<typeof token>;

const tokensReply = z.object({ tokens: z.array(token) });

/** Tokens of the API. Readable by admins alone. */
export const tokens = () => query(["tokens"], "/api/tokens", tokensReply);
