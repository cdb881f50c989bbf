"use client";

import { useCallback, useSyncExternalStore } from "react";
import { ProgressBar } from "@/components/ui/progress-bar.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { ChangeProgress } from "./change-progress.tsx";
import { failedTitle } from "./failed-write.ts";
import { type UndoProgress, type UndoTotal, type UndoWanted, undoInSteps } from "./undo-in-steps.ts";

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

/** Progress of an undo, for a notice that is drawn before the undo starts. */
class UndoWatch {
  #now: UndoProgress;
  readonly #watchers = new Set<() => void>();

  constructor(beginning: UndoProgress) {
    this.#now = beginning;
  }

  readonly tell = (progress: UndoProgress): void => {
    this.#now = progress;
    for (const watcher of this.#watchers) watcher();
  };

  readonly get = (): UndoProgress => this.#now;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };
}

function Undoing({ watch }: { watch: UndoWatch }) {
  const { done, wanted } = useSyncExternalStore(watch.watch, watch.get, watch.get);
  return <ProgressBar label="Undoing" done={done} of={wanted} />;
}

/** Progress of the undo on the nodes, and the entries that it left unchanged. */
export function AfterUndo({
  undone: { change, left, firstLeft },
}: {
  undone: Extract<UndoTotal, { ok: true }>;
}) {
  const [first] = firstLeft;
  return (
    <>
      <ChangeProgress change={change} />
      {left > 0 && (
        <p>
          {`${countText(left)} ${left === 1 ? "entry stays as it is" : "entries stay as they are"}`}
          {first && (
            <>
              {": "}
              <Untrusted text={first} />
            </>
          )}
        </p>
      )}
    </>
  );
}
