import { commit } from "../audit/commit.ts";
import { checkReason } from "../audit/reason.ts";
import { DomainError } from "../errors.ts";
import { isCanonical } from "../ip/parse.ts";
import { keys, type ListName } from "../redis/keys.ts";
import { type Changed, mostAtOnce } from "./change.ts";
import type { Context } from "./context.ts";

interface Input {
  readonly list: ListName;
  /** What follows the list's prefix in the key. */
  readonly texts: readonly string[];
  readonly reason: string;
}

export interface StrayOutcome {
  readonly address: string;
  readonly outcome: "removed" | "absent";
}

/** Takes away keys that a foreign writer left under a list's prefix and whose text is no address as Sluice writes it. */
export async function removeStrays(
  ctx: Context,
  { list, texts, reason }: Input,
): Promise<Changed<StrayOutcome>> {
  checkReason(reason);
  if (texts.length > mostAtOnce || texts.some(isCanonical))
    throw new DomainError(
      "bad-input",
      `Up to ${mostAtOnce} keys that are no addresses can be removed at once.`,
    );
  const { decision, change } = await commit(ctx, {
    action: `${list}.remove`,
    reason,
    slots: texts.map((text) => ({ key: `${keys.entryPrefix(list)}${text}`, target: text })),
    decide({ slots }) {
      const found = texts.map((_, slot) => slots[slot]?.kind !== "none");
      return {
        outcomes: texts.map((address, i) => ({ address, outcome: found[i] ? "removed" : "absent" }) as const),
        writes: texts.flatMap((_, slot) => (found[slot] ? [{ slot, to: null }] : [])),
      };
    },
  });
  return { change, outcomes: decision.outcomes };
}
