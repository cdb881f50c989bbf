"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { ChangeProgress } from "../../../components/change-progress.tsx";
import { countText } from "../../../components/ui/count-text.ts";
import { useToast } from "../../../components/ui/toast.tsx";
import type { Tone } from "../../../components/ui/tone.ts";
import { Untrusted } from "../../../components/ui/untrusted.tsx";
import { undoChange } from "../../_actions/audit.ts";
import { answered, type Total } from "./in-steps.ts";

/** More is undone from the audit page, piece by piece. */
const mostUndone = 100;

export interface Told {
  readonly tone: Tone;
  readonly title: string;
  readonly total: Total;
  readonly onUndone?: () => void;
}

/** Says what a change came to, how far it got, and takes it back if that is wished. Ends when rows were read anew. */
export function useTellChange(): (told: Told) => Promise<void> {
  const toast = useToast();
  const client = useQueryClient();
  const refresh = useCallback(() => client.invalidateQueries({ queryKey: ["lists"] }), [client]);
  const undo = useCallback(
    async (changes: readonly number[], onUndone?: () => void) => {
      const result = await answered(() => undoChange({ changes: [...changes], reason: "Undone at once" }));
      if (result.ok) {
        onUndone?.();
        toast({ tone: "plain", title: "Undone", detail: <ChangeProgress change={result.value.change} /> });
      } else {
        toast({ tone: "blocked", title: "Not undone", detail: result.error.message });
      }
      await refresh();
    },
    [toast, refresh],
  );
  return useCallback(
    ({ tone, title, total, onUndone }) => {
      const { done, changes, change, failure } = total;
      if (failure && done === 0) {
        toast({ tone: "blocked", title: "Nothing was changed", detail: failure.message });
      } else {
        const mayUndo = changes.length > 0 && changes.length <= mostUndone;
        toast({
          tone: failure ? "blocked" : tone,
          title: failure ? `It stopped after ${countText(done)}` : <Untrusted text={title} max={160} />,
          detail: failure ? failure.message : <Afterwards total={total} change={change} />,
          undo: mayUndo ? { label: "Undo", run: () => void undo(changes, onUndone) } : undefined,
        });
      }
      return refresh();
    },
    [toast, undo, refresh],
  );
}

function Afterwards({ total: { skipped, skippedCount }, change }: { total: Total; change: number | null }) {
  const [first] = skipped;
  return (
    <>
      <ChangeProgress change={change} />
      {first && (
        <p>
          {`${countText(skippedCount)} left as ${skippedCount === 1 ? "it is" : "they are"}: `}
          <Untrusted text={first.message} />
        </p>
      )}
    </>
  );
}
