"use client";

import { useCallback } from "react";
import { useToast } from "@/components/ui/toast.tsx";
import { failedTitle } from "./failed-write.ts";
import { type UndoWanted, undoInSteps } from "./undo-in-steps.ts";
import { AfterUndo, Undoing, UndoWatch } from "./undo-progress.tsx";

/** An undo of more entries shows its progress. */
const longUndo = 2_000;
const longSeconds = 30;

/** Undoes a change and reports the result. True if it is undone. */
export function useUndo(): (wanted: UndoWanted, entries?: number) => Promise<boolean> {
  const toast = useToast();
  return useCallback(
    async (wanted, entries = 0) => {
      const progress = new UndoWatch({ done: 0, wanted: entries });
      if (entries > longUndo)
        toast({
          tone: "plain",
          title: "Undoing",
          detail: <Undoing watch={progress} />,
          seconds: longSeconds,
        });
      const undone = await undoInSteps(wanted, progress.tell);
      if (undone.ok) toast({ tone: "plain", title: "Undone", detail: <AfterUndo undone={undone} /> });
      else {
        const title = failedTitle(undone.error, undone.done, "Not undone");
        toast({ tone: "blocked", title, detail: undone.error.message });
      }
      return undone.ok;
    },
    [toast],
  );
}
