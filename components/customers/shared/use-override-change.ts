"use client";

import { useQueryClient } from "@tanstack/react-query";
import { answered } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useUndo } from "@/components/console/use-undo.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import type { Result } from "@/lib/console/action.ts";
import { overrides } from "@/lib/queries/overrides.ts";

type Written = { readonly change: number | null };

/** Runs a change of the overrides, reports it and offers to undo it. The overrides are read again after it. */
export function useOverrideChange(onDone: () => void) {
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const takeBack = useUndo();
  const refresh = () => client.invalidateQueries({ queryKey: overrides().queryKey });
  const change = async (title: string, call: () => Promise<Result<Written>>) => {
    const done = await run(async () => {
      const result = await answered(call);
      await refresh();
      return result;
    });
    if (!done) return;
    const { change: number } = done.value;
    const undo = async (changed: number) => {
      await takeBack({ changes: [changed], reason: "Undone at once" });
      await refresh();
    };
    toast({
      tone: "plain",
      title: number === null ? "Nothing changed" : title,
      ...(number !== null && { undo: { label: "Undo", run: () => void undo(number) } }),
    });
    onDone();
  };
  return { change, isBusy, failure };
}
