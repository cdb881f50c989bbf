"use client";

import { type Dispatch, type SetStateAction, useState } from "react";
import { type BulkChange, mostUntyped } from "./bulk-dialog.tsx";
import { countOf, nothing, type Selection } from "./selection.ts";
import type { RowActions } from "./use-row-actions.ts";

interface BulkOptions {
  readonly selection: Selection;
  readonly set: Dispatch<SetStateAction<Selection>>;
  readonly actions: RowActions;
}

/** Changes of everything that is chosen, and what is asked before. */
export function useBulk({ selection, set, actions }: BulkOptions) {
  const [asked, setAsked] = useState<BulkChange>();
  const change = async (wished: BulkChange, reason: string) => {
    const total =
      wished.kind === "remove"
        ? await actions.remove(selection, reason)
        : await actions.extend(selection, wished.forMs, reason);
    // Whoever has chosen other rows meanwhile keeps them.
    if (!total.failure) set((now) => (now === selection ? nothing : now));
  };
  const extend = (forMs: number | null) => {
    const wished = { kind: "extend", forMs } as const;
    if (countOf(selection) > mostUntyped) setAsked(wished);
    else void change(wished, "");
  };
  return { asked, setAsked, extend, change };
}
