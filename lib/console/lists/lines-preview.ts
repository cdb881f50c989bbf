import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { previewLines } from "../../manage/lists/preview.ts";
import { may } from "../../manage/users/roles.ts";
import { postedRead } from "../action.ts";
import { loadedCatalogue } from "../catalogue.ts";
import { inFairTurn } from "../fair-turns.ts";
import { linesInput } from "./lines-input.ts";

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
