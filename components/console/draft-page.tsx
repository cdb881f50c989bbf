"use client";

import { type KeyboardEvent, type ReactNode, useEffect } from "react";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { useToast } from "@/components/ui/toast.tsx";
import { isPressed } from "./shortcuts.ts";
import { useUndo } from "./use-undo.tsx";

interface DraftPageProps {
  isEdited: boolean;
  /** Runs on the submit shortcut, in any field. Undefined while the draft cannot be saved. */
  onSubmit: (() => void) | undefined;
  children: ReactNode;
}

/** A page that edits a draft. The browser asks before a reload loses it. */
export function DraftPage({ isEdited, onSubmit, children }: DraftPageProps) {
  useEffect(() => {
    if (!isEdited) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isEdited]);
  const submitByKey = (event: KeyboardEvent) => {
    if (!isPressed("submit", event) || !onSubmit) return;
    // React events of a dialog reach this page, although the dialog is elsewhere in the document.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcut for the button of the bar, from any field.
    <div onKeyDown={submitByKey} className="flex flex-1 flex-col gap-3">
      {children}
    </div>
  );
}

interface DraftBarProps {
  /** Number of changes. Announced. */
  status: string;
  /** What follows the number: the first problem, or when the draft takes effect. */
  note: ReactNode;
  onDiscard: () => void;
  /** Buttons beside the one that discards. */
  children: ReactNode;
  className?: string;
}

/** Unsaved changes, at the bottom of the page. */
export function DraftBar({ status, note, onDiscard, children, className }: DraftBarProps) {
  return (
    <section
      aria-label="Unsaved changes"
      className={classes(
        "sticky bottom-0 z-20 -mx-5 mt-auto -mb-5 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t border-border bg-nav px-5 py-2.5 max-sm:bottom-14 max-sm:-mx-4 max-sm:mb-0 max-sm:px-4",
        className,
      )}
    >
      <p className="min-w-0 flex-1 basis-60 text-cell text-text-2">
        <span role="status" className="mr-2 font-semibold text-text">
          {status}
        </span>
        {note}
      </p>
      <Button variant="ghost" size="lg" onClick={onDiscard}>
        Discard
      </Button>
      {children}
    </section>
  );
}

interface SavedDraft {
  title: string;
  detail?: ReactNode;
  /** Numbers of its changes. Without any, there is nothing to undo. */
  changes: readonly number[];
  /** Reason of the undo. */
  undoReason: string;
}

/** Reports that a draft is saved, and offers to undo it. */
export function useTellSaved(afterUndo: () => Promise<unknown>): (saved: SavedDraft) => void {
  const toast = useToast();
  const takeBack = useUndo();
  return ({ title, detail, changes, undoReason }) => {
    const undo = async () => {
      await takeBack({ changes, reason: undoReason });
      await afterUndo();
    };
    toast({
      tone: "pass",
      title,
      detail,
      undo: changes.length === 0 ? undefined : { label: "Undo", run: () => void undo() },
    });
  };
}
