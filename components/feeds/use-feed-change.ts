"use client";

import { useQueryClient } from "@tanstack/react-query";
import { failedTitle } from "@/components/console/failed-write.ts";
import { answered } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useUndo } from "@/components/console/use-undo.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import type { Result } from "@/lib/console/action.ts";
import { feeds } from "@/lib/queries/feeds.ts";

interface Changed {
  /** Numbers of what can be undone at once. */
  readonly changes: readonly number[];
}

/** Runs a change of the feeds, reports it and offers to undo it. The feeds are read again after it. */
export function useFeedChange(onDone?: () => void) {
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const takeBack = useUndo();
  const client = useQueryClient();
  const readAgain = () => client.invalidateQueries({ queryKey: feeds().queryKey });
  const undo = async (changes: readonly number[]) => {
    await takeBack({ changes, reason: "Undone at once" });
    await readAgain();
  };
  const change = async <T extends Changed>(title: string | undefined, call: () => Promise<Result<T>>) => {
    const done = await run(async () => {
      const result = await answered(call);
      if (!result.ok)
        toast({ tone: "blocked", title: failedTitle(result.error), detail: result.error.message });
      return result;
    });
    await readAgain();
    if (!done) return undefined;
    const { changes } = done.value;
    if (title !== undefined)
      toast({
        ...{ tone: "plain", title },
        undo: changes.length === 0 ? undefined : { label: "Undo", run: () => void undo(changes) },
      });
    onDone?.();
    return done;
  };
  return { change, isBusy, failure };
}
