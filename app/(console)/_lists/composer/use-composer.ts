"use client";

import { useCallback, useMemo, useState } from "react";
import { reasonProblem } from "../../../../lib/lists/note.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { addLines, importText } from "../../../_actions/lists.ts";
import { inSteps, inTurn, type Total } from "../in-steps.ts";
import { resultOf } from "../list-words.ts";
import { useTellChange } from "../use-tell-change.tsx";
import type { Draft } from "./draft.ts";
import { aWeek, ttlOf } from "./expiry.ts";
import { leftOver, mended, typedLines } from "./judged-lines.ts";
import type { Mend } from "./preview-groups.ts";
import { readinessOf } from "./readiness.ts";
import { useDraft } from "./use-draft.ts";
import { usePreview } from "./use-preview.ts";

/** One call takes so many. */
const mostAtOnce = 10_000;

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
  const [draft, setDraft] = useDraft(list);
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const [written, setWritten] = useState<Written>();
  const [isBusy, setIsBusy] = useState(false);
  const tell = useTellChange();
  const expiry = draft.expiry.preset === "never" && !mayForever ? aWeek : draft.expiry;
  const ttl = ttlOf(expiry);
  const { preview, of, isCurrent, failure } = usePreview({
    ...{ list, text: draft.text, confirmed },
    ttlMs: ttl.ok ? ttl.value : undefined,
  });
  const problem = reasonProblem(draft.reason);
  const around = {
    text: draft.text,
    ttl,
    preview,
    isCurrent,
    reasonProblem: problem,
    failure: failure?.message,
  };
  const ready = readinessOf(list, around);

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
    const input = { list, ttlMs: ready.ttlMs, reason: draft.reason, confirmed: [...confirmed] };
    const total = await inTurn(slicesOf(ready.addresses), (addresses) =>
      inSteps((after) =>
        ready.saysMore
          ? importText({ ...input, text: draft.text, expected: [...addresses], after })
          : addLines({ ...input, addresses: [...addresses], after }),
      ),
    );
    setIsBusy(false);
    if (total.failure) return setWritten({ title: total.failure.message, total });
    const title = resultOf(list, total.done, ready.saysMore ? undefined : ready.ttlMs);
    setWritten({ title, total });
    setDraft({
      text: leftOver(
        draft.text,
        preview,
        total.skipped.map(({ address }) => address),
      ),
      reason: "",
    });
    setConfirmed([]);
    onWritten();
    await tell({
      tone: list === "blocklist" ? "blocked" : "safelisted",
      title,
      total,
      onUndone: () => setWritten(undefined),
    });
  };
  const lines = useMemo(() => typedLines(draft.text, preview, of), [draft.text, preview, of]);
  return {
    ...{
      draft: { ...draft, expiry },
      change,
      lines,
      preview,
      failure,
      problem,
      ready,
      written,
      isBusy,
      submit,
    },
    mend: ({ line, to }: Mend) => change({ text: mended(draft.text, line, to) }),
    confirm: (range: string) => setConfirmed((before) => [...before, range]),
  };
}

export type Composing = ReturnType<typeof useComposer>;

function slicesOf(addresses: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(addresses.length / mostAtOnce);
  return Array.from({ length: count }, (_, i) => addresses.slice(i * mostAtOnce, (i + 1) * mostAtOnce));
}
