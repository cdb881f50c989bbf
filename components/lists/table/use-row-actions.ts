import { type Dispatch, type SetStateAction, useCallback, useState } from "react";
import { inSteps, type Total } from "@/components/console/in-steps.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { extendMany, removeMany, tagMany } from "@/lib/console/actions/lists.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { extendedWords, removedWords, taggedWords } from "../list-words.ts";
import type { AskedChange, BulkChange, TypedTags } from "../selection/bulk-dialog.tsx";
import { countOf, mostUntyped, nothing, type Selection, selectionInput } from "../selection/selection.ts";

export interface Progress {
  readonly verb: string;
  readonly done: number;
  readonly count: number;
}

/** Shows progress only for more entries than this: fewer take too short a time. */
const worthTelling = 500;

const none: ReadonlySet<string> = new Set();

export function useRowActions(list: ListName) {
  /** Entries that are being removed. They are dimmed, and shown again if the removal fails. */
  const [removing, setRemoving] = useState(none);
  /** Progress of a long change. */
  const [progress, setProgress] = useState<Progress>();
  const tell = useTellChange();
  const end = useCallback(
    async (total: Total, title: string) => {
      setProgress(undefined);
      await tell({ tone: "plain", title, total });
      return total;
    },
    [tell],
  );
  const extend = useCallback(
    async (chosen: Selection, forMs: number | null, reason = "") => {
      const show = showing("Extending", chosen, setProgress);
      const input = { list, ...selectionInput(chosen), forMs, reason, confirmedCount: countOf(chosen) };
      const total = await inSteps((after) => extendMany({ ...input, after }), show);
      return end(total, extendedWords(chosen, total.done, forMs));
    },
    [list, end],
  );
  const remove = useCallback(
    async (chosen: Selection, reason: string) => {
      const addresses = chosen.kind === "rows" ? [...chosen.entries.keys()] : [];
      const show = showing("Removing", chosen, setProgress);
      setRemoving((before) => new Set([...before, ...addresses]));
      const input = { list, ...selectionInput(chosen), reason, confirmedCount: countOf(chosen) };
      const total = await inSteps((after) => removeMany({ ...input, after }), show);
      await end(total, removedWords(list, chosen, total.done));
      setRemoving((before) => new Set([...before].filter((address) => !addresses.includes(address))));
      return total;
    },
    [list, end],
  );
  const tag = useCallback(
    async (chosen: Selection, { add, remove }: TypedTags, reason: string) => {
      const show = showing("Tagging", chosen, setProgress);
      const input = {
        list,
        ...selectionInput(chosen),
        tags: { add: [...add], remove: [...remove] },
        reason,
        confirmedCount: countOf(chosen),
      };
      const total = await inSteps((after) => tagMany({ ...input, after }), show);
      return end(total, taggedWords(chosen, total.done));
    },
    [list, end],
  );
  return { removing, progress, extend, remove, tag };
}

function showing(verb: string, chosen: Selection, set: (progress: Progress) => void): (done: number) => void {
  const count = countOf(chosen);
  const show = (done: number) => count > worthTelling && set({ verb, done, count });
  show(0);
  return show;
}

interface BulkOptions {
  readonly selection: Selection;
  readonly set: Dispatch<SetStateAction<Selection>>;
  readonly actions: ReturnType<typeof useRowActions>;
}

/** Changes of all selected entries, and their confirmation. */
export function useBulk({ selection, set, actions }: BulkOptions) {
  const [asked, setAsked] = useState<{ readonly asked: AskedChange; readonly of: Selection }>();
  const make = (wished: BulkChange, of: Selection, reason: string) => {
    if (wished.kind === "remove") return actions.remove(of, reason);
    if (wished.kind === "tag") return actions.tag(of, wished.tags, reason);
    return actions.extend(of, wished.forMs, reason);
  };
  const change = async (wished: BulkChange, reason: string, of = asked?.of ?? selection) => {
    const total = await make(wished, of, reason);
    // Other rows, and rows that were selected during the write, stay selected.
    if (!total.failure) set((now) => (now === of ? nothing : now));
  };
  const extend = (forMs: number | null) => {
    const wished = { kind: "extend", forMs } as const;
    if (countOf(selection) > mostUntyped) ask(wished);
    else void change(wished, "", selection);
  };
  const ask = (wished: AskedChange, of: Selection = selection) => setAsked({ asked: wished, of });
  return { asked, ask, close: () => setAsked(undefined), extend, change };
}
