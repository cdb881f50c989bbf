import * as z from "zod/mini";
import type { LineStatus, LinesPreview } from "../manage/lists/previewed-lines.ts";
import type { ListName } from "../redis/keys.ts";
import { query } from "./query.ts";

const status = z.enum([
  "new",
  "extends",
  "tags",
  "kept",
  "covered",
  "safelisted",
  "own",
  "protected",
  "too-wide",
  "confirm",
  "customer",
  "no-address",
  "not-an-address",
  "duplicate",
  "unreadable",
  "refused",
] satisfies LineStatus[]);

const reply = z.object({
  lines: z.array(
    z.object({
      line: z.number(),
      text: z.string(),
      address: z.optional(z.string()),
      status,
      message: z.string(),
      coversSafelisted: z.optional(z.number()),
      conflict: z.optional(
        z.object({
          by: z.optional(z.object({ address: z.string(), reason: z.string() })),
          inside: z.number(),
          decided: z.optional(z.object({ requests: z.number(), isAll: z.boolean() })),
        }),
      ),
      owners: z.optional(z.array(z.object({ customer: z.string(), requests: z.number() }))),
      suggestions: z.optional(z.array(z.string())),
      saysMore: z.optional(z.boolean()),
    }),
  ),
  counts: z.object({ add: z.number(), extend: z.number(), skip: z.number(), invalid: z.number() }),
  willWrite: z.array(z.string()),
  areCustomersUnknown: z.optional(z.boolean()),
}) satisfies z.ZodMiniType<LinesPreview>;

/** Lines that may be added to a list. */
export interface LinesAsked {
  readonly list: ListName;
  readonly text: string;
  readonly ttlMs: number | null;
  readonly reason: string;
  /** Wide ranges that were typed again. */
  readonly confirmed: readonly string[];
  /** For all lines. */
  readonly tags?: readonly string[];
  /** Addresses of customers that were chosen. Undefined: customers are not asked for. */
  readonly withCustomers?: readonly string[];
}

/** What adding these lines would do. Nothing is written; it is a POST because a text has no room in a URL. */
export const linesPreview = ({ list, ...asked }: LinesAsked) =>
  query(["preview", list, asked], `/api/lists/${list}/preview`, reply, asked);
