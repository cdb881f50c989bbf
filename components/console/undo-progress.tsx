"use client";

import { useSyncExternalStore } from "react";
import { ProgressBar } from "@/components/ui/progress-bar.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { ChangeProgress } from "./change-progress.tsx";
import type { UndoProgress, UndoTotal } from "./undo-in-steps.ts";

/** Progress of an undo, for a notice that is drawn before the undo starts. */
export class UndoWatch {
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

export function Undoing({ watch }: { watch: UndoWatch }) {
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
