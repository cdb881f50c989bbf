import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { isOutage } from "@/components/console/failed-write.ts";
import type { Total } from "@/components/console/in-steps.ts";
import { useMutate, useOutageOver } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { resultOf } from "../list-words.ts";
import { writeLines } from "../write-lines.ts";
import { type Draft, useDraft } from "./draft.ts";
import { aWeek } from "./expiry.ts";
import type { Correction } from "./preview-groups.ts";
import {
  corrected,
  type LineKind,
  leftOver,
  suggestionsOf,
  typedLines,
  withSuggestions,
} from "./typed-lines.ts";
import { usePreview } from "./use-preview.ts";
import { useReplaced } from "./use-replaced.ts";

/** State of the composer: the draft, its preview, and the write. */
export function useComposer({ list, mayForever }: { list: ListName; mayForever: boolean }) {
  const [typed, setDraft] = useDraft(list);
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const [withCustomers, setWithCustomers] = useState<readonly string[]>([]);
  const [written, setWritten] = useState<{ readonly title: string; readonly total: Total }>();
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
  const { of, ...foreseen } = usePreview({ list, ...draft, confirmed, mayForever, withCustomers });
  const { preview, ready } = foreseen;
  const lines = useMemo(() => typedLines(draft.text, preview, of), [draft.text, preview, of]);

  const change = useCallback(
    (next: Partial<Draft>) => {
      setDraft(next);
      if (next.text !== undefined) setWritten(undefined);
    },
    [setDraft],
  );
  const [filter, setFilter] = useState<LineKind>();
  const replaced = useReplaced(draft.text, (text) => change({ text }));
  const applySuggestions = () => {
    const count = lines.filter((line) => suggestionsOf(line).length > 0).length;
    replaced.replace(withSuggestions(lines), count);
    setFilter(undefined);
  };
  const submit = async () => {
    if (!ready.can || !preview || isBusy) return;
    const { text, reason } = draft;
    const { isTagging } = ready;
    const done = await run(async () => ({
      ok: true,
      value: await writeLines({ list, ready, text, reason, confirmed }),
    }));
    if (!done) return;
    const total = done.value;
    const ttlMs = ready.saysMore ? undefined : ready.ttlMs;
    const title = isTagging
      ? `${countText(total.done)} tagged`
      : resultOf(list, total.done, ttlMs, preview.willWrite);
    setWritten({ title, total });
    // The typed text stays until the write is done.
    if (total.failure) return;
    setDraft({ text: leftOver(text, preview, total.skipped), reason: "", tags: "" });
    setConfirmed([]);
    setWithCustomers([]);
    setFilter(undefined);
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    await tell({ tone, title, total, onUndone: () => setWritten(undefined) });
  };
  return {
    ...{ ...foreseen, lines, draft, change, written, isBusy, submit },
    ...{ withCustomers, applySuggestions, replaced, setFilter },
    // An empty field has nothing to filter.
    filter: draft.text.trim() === "" ? undefined : filter,
    correct: ({ line, to }: Correction) => replaced.replace(corrected(draft.text, line, to), 1),
    edit: (line: number, text: string) => change({ text: corrected(draft.text, line, text) }),
    choose: (address: string, isChosen: boolean) =>
      setWithCustomers((before) => {
        const others = before.filter((one) => one !== address);
        return isChosen ? [...others, address] : others;
      }),
    confirm: (range: string) => setConfirmed((before) => [...before, range]),
  };
}

export type Composing = ReturnType<typeof useComposer>;
