"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useToast } from "@/components/ui/toast.tsx";
import type { Tone } from "@/components/ui/tone.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { ChangeProgress } from "./change-progress.tsx";
import { failedTitle } from "./failed-write.ts";
import type { Total } from "./in-steps.ts";
import { useUndo } from "./use-undo.tsx";

interface Told {
  readonly tone: Tone;
  readonly title: string;
  readonly total: Total;
  /** What the user has to know beside the result. */
  readonly note?: string | undefined;
  readonly onUndone?: () => void;
}

/** Reports a change and its progress on the nodes, and offers to undo it. Resolves after the lists are read again. */
export function useTellChange(): (told: Told) => Promise<void> {
  const toast = useToast();
  const client = useQueryClient();
  const refresh = useCallback(() => client.invalidateQueries({ queryKey: ["lists"] }), [client]);
  const takeBack = useUndo();
  const undo = useCallback(
    async (n: number, count: number, onUndone?: () => void) => {
      if (await takeBack({ n, reason: "Undone at once" }, count)) onUndone?.();
      await refresh();
    },
    [takeBack, refresh],
  );
  return useCallback(
    ({ tone, title, total, note, onUndone }) => {
      const { done, record, change, failure } = total;
      if (failure && done === 0) {
        toast({ tone: "blocked", title: failedTitle(failure), detail: failure.message });
      } else {
        toast({
          tone: failure ? "blocked" : tone,
          title: failure ? failedTitle(failure, done) : <Untrusted text={title} max={160} />,
          detail: failure ? failure.message : <Afterwards {...{ total, change, note }} />,
          undo: record === null ? undefined : { label: "Undo", run: () => void undo(record, done, onUndone) },
        });
      }
      return refresh();
    },
    [toast, undo, refresh],
  );
}

interface AfterwardsProps {
  total: Total;
  change: number | null;
  note: string | undefined;
}

function Afterwards({ total: { skipped, skippedCount }, change, note }: AfterwardsProps) {
  const [first] = skipped;
  return (
    <>
      <ChangeProgress change={change} />
      {note !== undefined && <p>{note}</p>}
      {first && (
        <p>
          {`${countText(skippedCount)} skipped: `}
          <Untrusted text={first.message} />
        </p>
      )}
    </>
  );
}
