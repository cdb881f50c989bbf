"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useUndo } from "@/components/console/use-undo.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import type { Result } from "@/lib/console/action.ts";
import type { Failure } from "@/lib/console/failure.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { applySteps } from "./apply.ts";
import { changesIn } from "./changes.ts";
import { type Draft, rebased } from "./draft.ts";
import { problemsIn, stepsOf } from "./save.ts";
import { sayApplied } from "./save-words.ts";
import type { Editor } from "./use-editor.ts";

export interface Saving {
  readonly isBusy: boolean;
  /** A save was attempted, so missing fields are shown. */
  readonly isTried: boolean;
  /** Why it was not saved. */
  readonly problem: string | undefined;
  /** The save was refused because another user saved first. */
  readonly isRefused: boolean;
  save(): Promise<void>;
  /** Saves the changes on the version that another user saved. */
  reapply(): Promise<void>;
  /** Back to typing, or to the current customer. */
  forget(): void;
}

/** Saves a draft and keeps the result. */
export function useSave(editor: Editor): Saving {
  const [isTried, setIsTried] = useState(false);
  const { run, isBusy, failure, forget: forgetFailure } = useMutate();
  const tell = useSavedToast(editor);
  const forget = () => {
    setIsTried(false);
    forgetFailure();
  };
  const send = async (base: CustomerNow, draft: Draft): Promise<Result<undefined>> => {
    const { changes, done, failure } = await applySteps(stepsOf(draft, base, Date.now()), {
      ...{ id: base.id, reason: draft.reason.trim(), basedOn: base.basedOn },
    });
    const now = await editor.read().catch(() => undefined);
    if (failure) {
      // Saved parts are removed from the draft.
      if (done.length > 0 && now) editor.restart(now, draft);
      return { ok: false, error: failure };
    }
    tell(sayApplied(draft, base), draft.reason, changes);
    setIsTried(false);
    editor.discard();
    return saved;
  };
  return {
    ...{ isBusy, isTried, problem: failure?.message, forget },
    isRefused: failure?.code === "changed-meanwhile",
    async save() {
      const { base, draft } = editor;
      if (isBusy) return;
      setIsTried(true);
      const isReady = Object.keys(problemsIn(draft, base, Date.now())).length === 0;
      if (isReady && changesIn(draft, base).count > 0) await run(() => send(base, draft));
    },
    async reapply() {
      if (isBusy) return;
      await run(async () => {
        const theirs = await editor.read().catch(() => undefined);
        if (!theirs) return { ok: false, error: notLoaded };
        const draft = rebased(editor.draft, editor.base, theirs);
        editor.restart(theirs, draft);
        return changesIn(draft, theirs).count > 0 ? send(theirs, draft) : saved;
      });
    },
  };
}

const saved = { ok: true, value: undefined } as const;

/** Nothing was sent: the draft could not be put on what is in force. */
const notLoaded: Failure = {
  code: "redis-unavailable",
  message: "Failed to load the customer. Nothing was changed. Retry.",
  fields: {},
  effect: "none",
};

/** Shows that the save is done, with undo. */
function useSavedToast({ read }: Editor) {
  const toast = useToast();
  const client = useQueryClient();
  const takeBack = useUndo();
  return (title: string, reason: string, changes: readonly number[]) => {
    const undo = async () => {
      await takeBack({ changes, reason: `Undo: ${reason}`.slice(0, 500) });
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
