"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTellSaved } from "@/components/console/draft-page.tsx";
import { answered } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import type { Result } from "@/lib/console/action.ts";
import { clearOverride, setOverride, setTier } from "@/lib/console/actions/customers.ts";
import type { Failure } from "@/lib/console/failure.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { changesIn, type Draft, rebased } from "./draft.ts";
import { problemsIn, type SaveStep, sayApplied, stepsOf } from "./save.ts";
import type { Editor } from "./use-editor.ts";

export type Saving = ReturnType<typeof useSave>;

/** Saves a draft and keeps the result. */
export function useSave(editor: Editor) {
  const [isTried, setIsTried] = useState(false);
  const { run, isBusy, failure, forget: forgetFailure } = useMutate();
  const client = useQueryClient();
  const tell = useTellSaved(() =>
    Promise.all([
      editor.read().catch(() => undefined),
      client.invalidateQueries({ queryKey: ["customers"] }),
    ]),
  );
  /** Back to typing, or to the current customer. */
  const forget = () => {
    setIsTried(false);
    forgetFailure();
  };
  const send = async (base: CustomerNow, draft: Draft): Promise<Result<undefined>> => {
    const { changes, done, failure } = await applySteps(stepsOf(draft, base, Date.now()), {
      id: base.id,
      reason: draft.reason.trim(),
      basedOn: base.basedOn,
    });
    const now = await editor.read().catch(() => undefined);
    if (failure) {
      // Saved parts are removed from the draft.
      if (done > 0 && now) editor.restart(now, draft);
      return { ok: false, error: failure };
    }
    const undoReason = `Undo: ${draft.reason}`.slice(0, 500);
    tell({ title: sayApplied(draft, base), changes, undoReason });
    setIsTried(false);
    editor.discard();
    return saved;
  };
  return {
    ...{ isBusy, forget },
    /** A save was attempted, so missing fields are shown. */
    isTried,
    /** Why it was not saved. */
    problem: failure?.message,
    /** The save was refused because another user saved first. */
    isRefused: failure?.code === "changed-since",
    async save() {
      const { base, draft } = editor;
      if (isBusy) return;
      setIsTried(true);
      const isReady = Object.keys(problemsIn(draft, base, Date.now())).length === 0;
      if (isReady && changesIn(draft, base).count > 0) await run(() => send(base, draft));
    },
    /** Saves the changes on the version that another user saved. */
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

interface Asked {
  readonly id: string;
  readonly reason: string;
  readonly basedOn: string;
}

/** Each step is based on the version of the step before, so another change between them is detected. */
async function applySteps(steps: readonly SaveStep[], asked: Asked) {
  let { basedOn } = asked;
  const changes: number[] = [];
  for (const [done, step] of steps.entries()) {
    const from = { ...asked, basedOn };
    const result = await answered(() => applyStep(step, from));
    if (!result.ok) return { changes, done, failure: result.error };
    basedOn = result.value.basedOn;
    if (result.value.change !== null) changes.push(result.value.change);
  }
  return { changes, done: steps.length };
}

function applyStep(
  step: SaveStep,
  asked: Asked,
): Promise<Result<{ readonly change: number | null; readonly basedOn: string }>> {
  if (step.verb === "tier") return setTier({ ...asked, tier: step.tier, untilMs: step.untilMs });
  if (step.verb === "clear") return clearOverride(asked);
  const { ends } = step;
  const levels = step.levels.map(({ limit, periodSeconds }) => ({ limit, periodSeconds }));
  if ("inMs" in ends) return setOverride({ ...asked, levels, expiresInMs: ends.inMs });
  const end = ends.at === null ? { expiresInMs: null } : { expiresAt: ends.at };
  return setOverride({ ...asked, levels, ...end });
}
