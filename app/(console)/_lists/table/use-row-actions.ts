"use client";

import { useCallback, useState } from "react";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { extendMany, removeMany } from "../../../_actions/lists.ts";
import { inSteps, type Total } from "../in-steps.ts";
import { useTellChange } from "../use-tell-change.tsx";
import { extendedWords, removedWords } from "./change-words.ts";
import { countOf, type Selection, selectionInput } from "./selection.ts";

interface RowActionsOptions {
  readonly list: ListName;
  /** Rows are to be shown as they are now. */
  readonly onDone: () => void;
}

export interface RowActions {
  /** Entries whose removal is under way: shown as going, and shown again if it fails. */
  readonly removing: ReadonlySet<string>;
  /** How many are done of how many, while it takes a while. */
  readonly progress: Progress | undefined;
  extend(chosen: Selection, forMs: number | null, reason?: string): Promise<Total>;
  remove(chosen: Selection, reason: string): Promise<Total>;
}

interface Progress {
  readonly verb: string;
  readonly done: number;
  readonly count: number;
}

/** Fewer are done before anybody could read how many. */
const worthTelling = 500;

const none: ReadonlySet<string> = new Set();

export function useRowActions({ list, onDone }: RowActionsOptions): RowActions {
  const [removing, setRemoving] = useState(none);
  const [progress, setProgress] = useState<Progress>();
  const tell = useTellChange();
  const end = useCallback(
    async (total: Total, title: string) => {
      setProgress(undefined);
      onDone();
      await tell({ tone: "plain", title, total });
      return total;
    },
    [tell, onDone],
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
  return { removing, progress, extend, remove };
}

function showing(verb: string, chosen: Selection, set: (progress: Progress) => void): (done: number) => void {
  const count = countOf(chosen);
  const show = (done: number) => count > worthTelling && set({ verb, done, count });
  show(0);
  return show;
}
