"use client";

import { type Dispatch, type SetStateAction, useState } from "react";
import type { RowActions } from "../table/use-row-actions.ts";
import type { BulkChange } from "./bulk-dialog.tsx";
import { countOf, mostUntyped, nothing, type Selection } from "./selection.ts";

interface BulkOptions {
  readonly selection: Selection;
  readonly set: Dispatch<SetStateAction<Selection>>;
  readonly actions: RowActions;
}

/** Changes of all selected entries, and their confirmation. */
export function useBulk({ selection, set, actions }: BulkOptions) {
  const [asked, setAsked] = useState<BulkChange>();
  const change = async (wished: BulkChange, reason: string) => {
    const total =
      wished.kind === "remove"
        ? await actions.remove(selection, reason)
        : await actions.extend(selection, wished.forMs, reason);
    // Rows that were selected during the write stay selected.
    if (!total.failure) set((now) => (now === selection ? nothing : now));
  };
  const extend = (forMs: number | null) => {
    const wished = { kind: "extend", forMs } as const;
    if (countOf(selection) > mostUntyped) setAsked(wished);
    else void change(wished, "");
  };
  return { asked, setAsked, extend, change };
}
