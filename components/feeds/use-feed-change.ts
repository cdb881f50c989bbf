"use client";

import { useQueryClient } from "@tanstack/react-query";
import { failedTitle } from "@/components/console/failed-write.ts";
import { answered } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useToast } from "@/components/ui/toast.tsx";
import type { Result } from "@/lib/console/action.ts";
import { feeds } from "@/lib/queries/feeds.ts";

/** Runs a change of the feeds and reports it. The feeds are read again after it. */
export function useFeedChange(onDone?: () => void) {
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const change = async <T>(title: string | undefined, call: () => Promise<Result<T>>) => {
    const done = await run(async () => {
      const result = await answered(call);
      if (!result.ok)
        toast({ tone: "blocked", title: failedTitle(result.error), detail: result.error.message });
      return result;
    });
    await client.invalidateQueries({ queryKey: feeds().queryKey });
    if (!done) return undefined;
    if (title !== undefined) toast({ tone: "plain", title });
    onDone?.();
    return done;
  };
  return { change, isBusy, failure };
}
