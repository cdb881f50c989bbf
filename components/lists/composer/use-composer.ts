"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { isOutage } from "@/components/console/failed-write.ts";
import type { Total } from "@/components/console/in-steps.ts";
import { useMutate, useOutageOver } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { reasonProblem } from "@/lib/enforce/lists/entry.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { resultOf } from "../list-words.ts";
import { type Draft, useDraft } from "./draft.ts";
import { aWeek, ttlOf } from "./expiry.ts";
import { leftOver, mended, typedLines } from "./judged-lines.ts";
import type { Mend } from "./preview-groups.ts";
import { readinessOf } from "./readiness.ts";
import { usePreview } from "./use-preview.ts";
import { writeLines } from "./write-lines.ts";

export interface Written {
  readonly title: string;
  readonly total: Total;
}

interface ComposerOptions {
  readonly list: ListName;
  readonly mayForever: boolean;
}

/** State of the composer: the draft, its preview, and the write. */
export function useComposer({ list, mayForever }: ComposerOptions) {
  const [typed, setDraft] = useDraft(list);
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const [written, setWritten] = useState<Written>();
  const { run, isBusy } = useMutate();
  const tell = useTellChange();
  const failure = written?.total.failure;
  const client = useQueryClient();
  // The preview then shows which lines are on the list.
  const checkAgain = useCallback(() => {
    setWritten(undefined);
    void client.invalidateQueries({ queryKey: ["preview", list] });
  }, [client, list]);
  useOutageOver(failure !== undefined && isOutage(failure), checkAgain);
  const draft = typed.expiry.preset === "never" && !mayForever ? { ...typed, expiry: aWeek } : typed;
  const foreseen = useForeseen(list, draft, confirmed, mayForever);
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
    const { text, reason } = draft;
    const done = await run(async () => ({
      ok: true,
      value: await writeLines({ list, ready, text, reason, confirmed }),
    }));
    if (!done) return;
    const total = done.value;
    const title = resultOf(list, total.done, ready.saysMore ? undefined : ready.ttlMs);
    setWritten({ title, total });
    // The typed text stays until the write is done.
    if (total.failure) return;
    setDraft({ text: leftOver(text, preview, total.skipped), reason: "" });
    setConfirmed([]);
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

/** Preview of a draft, by line and in total. */
function useForeseen(
  list: ListName,
  { text, expiry, reason }: Draft,
  confirmed: readonly string[],
  mayForever: boolean,
) {
  const ttl = ttlOf(expiry, mayForever);
  const ttlMs = ttl.ok ? ttl.value : undefined;
  const { preview, of, isCurrent, failure } = usePreview({ list, text, confirmed, ttlMs });
  const problem = reasonProblem(reason);
  const around = { text, ttl, preview, isCurrent, reasonProblem: problem, failure: failure?.message };
  const lines = useMemo(() => typedLines(text, preview, of), [text, preview, of]);
  return { preview, failure, problem, lines, ready: readinessOf(list, around) };
}

export type Composing = ReturnType<typeof useComposer>;
