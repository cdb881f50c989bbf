"use client";

import { useCallback, useMemo, useState } from "react";
import { reasonProblem } from "../../../../lib/lists/note.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import type { Total } from "../in-steps.ts";
import { resultOf } from "../list-words.ts";
import { useTellChange } from "../use-tell-change.tsx";
import type { Draft } from "./draft.ts";
import { aWeek, ttlOf } from "./expiry.ts";
import { leftOver, mended, typedLines } from "./judged-lines.ts";
import type { Mend } from "./preview-groups.ts";
import { readinessOf } from "./readiness.ts";
import { useDraft } from "./use-draft.ts";
import { usePreview } from "./use-preview.ts";
import { writeLines } from "./write-lines.ts";

export interface Written {
  readonly title: string;
  readonly total: Total;
}

interface ComposerOptions {
  readonly list: ListName;
  readonly mayForever: boolean;
  /** Rows are to be shown as they are now. */
  readonly onWritten: () => void;
}

/** What is typed, what it would do, and doing it. */
export function useComposer({ list, mayForever, onWritten }: ComposerOptions) {
  const [typed, setDraft] = useDraft(list);
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const [written, setWritten] = useState<Written>();
  const [isBusy, setIsBusy] = useState(false);
  const tell = useTellChange();
  const draft = typed.expiry.preset === "never" && !mayForever ? { ...typed, expiry: aWeek } : typed;
  const foreseen = useForeseen(list, draft, confirmed);
  const { preview, ready } = foreseen;

  const change = useCallback(
    (next: Partial<Draft>) => {
      setDraft(next);
      if (next.text !== undefined) setWritten(undefined);
    },
    [setDraft],
  );
  const submit = async () => {
    if (!ready.can || !preview || isBusy) return;
    setIsBusy(true);
    const total = await writeLines({ list, ready, text: draft.text, reason: draft.reason, confirmed });
    setIsBusy(false);
    const title = resultOf(list, total.done, ready.saysMore ? undefined : ready.ttlMs);
    setWritten({ title, total });
    // What was typed stays until it is done.
    if (total.failure) return;
    setDraft({ text: leftOver(draft.text, preview, total.skipped), reason: "" });
    setConfirmed([]);
    onWritten();
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    await tell({ tone, title, total, onUndone: () => setWritten(undefined) });
  };
  return {
    ...foreseen,
    ...{ draft, change, written, isBusy, submit },
    mend: ({ line, to }: Mend) => change({ text: mended(draft.text, line, to) }),
    confirm: (range: string) => setConfirmed((before) => [...before, range]),
  };
}

/** What would become of a draft, line by line and in all. */
function useForeseen(list: ListName, { text, expiry, reason }: Draft, confirmed: readonly string[]) {
  const ttl = ttlOf(expiry);
  const ttlMs = ttl.ok ? ttl.value : undefined;
  const { preview, of, isCurrent, failure } = usePreview({ list, text, confirmed, ttlMs });
  const problem = reasonProblem(reason);
  const around = { text, ttl, preview, isCurrent, reasonProblem: problem, failure: failure?.message };
  const lines = useMemo(() => typedLines(text, preview, of), [text, preview, of]);
  return { preview, failure, problem, lines, ready: readinessOf(list, around) };
}

export type Composing = ReturnType<typeof useComposer>;
