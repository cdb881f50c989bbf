"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useToast } from "../../../../../components/ui/toast.tsx";
import type { CustomerNow } from "../../../../../lib/queries/customer.ts";
import { undoChange } from "../../../../_actions/audit.ts";
import { answered, applySteps } from "./apply.ts";
import { changesIn } from "./changes.ts";
import { type Draft, rebased } from "./draft.ts";
import { problemsIn, stepsOf } from "./save.ts";
import { sayApplied } from "./save-words.ts";
import type { Editor } from "./use-editor.ts";

export interface Saving {
  readonly isBusy: boolean;
  /** Somebody tried: what is still missing may be said now. */
  readonly isTried: boolean;
  /** Why it was not saved. */
  readonly problem: string | undefined;
  /** The save was refused because somebody else was faster. */
  readonly isRefused: boolean;
  save(): Promise<void>;
  /** Saves what was changed here on what somebody else saved meanwhile. */
  reapply(): Promise<void>;
  /** Back to typing, or to the customer as it stands. */
  forget(): void;
}

/** The way of a draft to the server, and what comes back of it. */
export function useSave(editor: Editor): Saving {
  const [isBusy, setIsBusy] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isRefused, setIsRefused] = useState(false);
  const tell = useSavedToast(editor);
  const forget = () => {
    setIsTried(false);
    setProblem(undefined);
    setIsRefused(false);
  };
  const send = async (base: CustomerNow, draft: Draft) => {
    setProblem(undefined);
    setIsRefused(false);
    const { changes, done, failure } = await applySteps(stepsOf(draft, base, Date.now()), {
      ...{ id: base.id, reason: draft.reason.trim(), basedOn: base.basedOn },
    });
    const now = await editor.read().catch(() => undefined);
    if (!failure) {
      tell(sayApplied(draft, base), draft.reason, changes);
      forget();
      return editor.discard();
    }
    // What is saved already is no part of the draft any more.
    if (done.length > 0 && now) editor.restart(now, draft);
    setIsRefused(failure.code === "changed-meanwhile");
    setProblem(failure.message);
  };
  const busy = async (work: () => Promise<void>) => {
    if (isBusy) return;
    setIsBusy(true);
    await work().finally(() => setIsBusy(false));
  };
  return {
    ...{ isBusy, isTried, problem, isRefused, forget },
    save: () =>
      busy(async () => {
        const { base, draft } = editor;
        setIsTried(true);
        const isReady = Object.keys(problemsIn(draft, base, Date.now())).length === 0;
        if (isReady && changesIn(draft, base).count > 0) await send(base, draft);
      }),
    reapply: () =>
      busy(async () => {
        const theirs = await editor.read().catch(() => undefined);
        if (!theirs)
          return setProblem("The console did not answer. What you typed is still here; try again.");
        const draft = rebased(editor.draft, editor.base, theirs);
        editor.restart(theirs, draft);
        setIsRefused(false);
        if (changesIn(draft, theirs).count > 0) await send(theirs, draft);
      }),
  };
}

/** Says that it is saved, and takes it back on request. */
function useSavedToast({ read }: Editor) {
  const toast = useToast();
  const client = useQueryClient();
  return (title: string, reason: string, changes: readonly number[]) => {
    const undo = async () => {
      const undone = await answered(
        undoChange({ changes: [...changes], reason: `Undo: ${reason}`.slice(0, 500) }),
      );
      if (undone.ok) toast({ tone: "plain", title: "Undone", detail: "It is as it was before." });
      else toast({ tone: "blocked", title: "Not undone", detail: undone.error.message });
      await Promise.all([
        read().catch(() => undefined),
        client.invalidateQueries({ queryKey: ["customers"] }),
      ]);
    };
    toast({
      tone: "pass",
      title,
      ...(changes.length > 0 && { undo: { label: "Undo", run: () => void undo() } }),
    });
  };
}
