import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { previewLines } from "../../manage/lists/preview.ts";
import { may } from "../../manage/users/roles.ts";
import { postedRead } from "../action.ts";
import { loadedCatalogue } from "../catalogue.ts";
import { inFairTurn } from "../fair-turns.ts";

export const list = z.enum(["safelist", "blocklist"]);

export const address = z.string().transform((given, context): Ip | Cidr => {
  const parsed = parseAddress(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: "custom", message: parsed.reason });
  return z.NEVER;
});

/** Lines that are previewed, and then written as they were previewed. */
export const linesInput = {
  list,
  /** A request has a megabyte in all. */
  text: z.string().max(1_000_000),
  ttlMs: z.number().int().nullable(),
  reason: z.string().max(10_000),
  /** Wide ranges that were typed again. */
  confirmed: z.array(address).max(1_000),
};

/** As long as an action's: what is previewed is written by an action. */
const longestBody = 1_048_576;

/** What adding these lines would do. Nothing is written. */
export const postLinesPreview = postedRead({
  name: "lists.preview",
  needs: "lists",
  longestBody,
  input: z.object(linesInput),
  run: (ctx, input, signal) =>
    inFairTurn("preview", ctx.who.sessionId, () => {
      // The answer would go nowhere. A preview that is typed over frees its turn for the next one.
      if (signal.aborted) throw new DomainError("too-busy", "The browser no longer waits for this preview.");
      return previewLines(ctx, { ...input, mayForever: may(ctx.who.role, "lists-forever") }, async () =>
        (await loadedCatalogue()).around(),
      );
    }),
});
