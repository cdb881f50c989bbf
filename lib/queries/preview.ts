import { z } from "zod";
import type { LineStatus, LinesPreview } from "../manage/lists/previewed-lines.ts";
import type { ListName } from "../redis/keys.ts";
import { query } from "./query.ts";

const status = z.enum([
  "new",
  "extends",
  "kept",
  "covered",
  "safelisted",
  "own",
  "protected",
  "too-wide",
  "confirm",
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
      address: z.string().optional(),
      status,
      message: z.string(),
      coversSafelisted: z.number().optional(),
      suggestion: z.string().optional(),
    }),
  ),
  counts: z.object({ add: z.number(), extend: z.number(), skip: z.number(), invalid: z.number() }),
  willWrite: z.array(z.string()),
}) satisfies z.ZodType<LinesPreview>;

/** Lines that may be added to a list. */
export interface LinesAsked {
  readonly list: ListName;
  readonly text: string;
  readonly ttlMs: number | null;
  readonly reason: string;
  /** Wide ranges that were typed again. */
  readonly confirmed: readonly string[];
}

/** What adding these lines would do. Nothing is written; it is a POST because a text has no room in a URL. */
export const linesPreview = ({ list, ...asked }: LinesAsked) =>
  query(["preview", list, asked], `/api/lists/${list}/preview`, reply, asked);
