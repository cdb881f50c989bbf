"use client";

import { useQueryClient } from "@tanstack/react-query";
import { failedTitle } from "@/components/console/failed-write.ts";
import { answered } from "@/components/console/in-steps.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useToast } from "@/components/ui/toast.tsx";
import type { Result } from "@/lib/console/action.ts";
import { alarms } from "@/lib/queries/alarms.ts";

/** Runs a change of alarms or requests and reports it. The page and the number in the navigation are read again after it. */
export function useAlarmChange() {
  const { run, isBusy, failure } = useMutate();
  const { ask } = useStanding();
  const toast = useToast();
  const client = useQueryClient();
  const change = async <T>(title: string | undefined, call: () => Promise<Result<T>>) => {
    const done = await run(async () => {
      const result = await answered(call);
      if (!result.ok)
        toast({ tone: "blocked", title: failedTitle(result.error), detail: result.error.message });
      return result;
    });
    if (done && title !== undefined) toast({ tone: "plain", title });
    await Promise.all([client.invalidateQueries({ queryKey: alarms().queryKey }), ask()]);
    return done;
  };
  return { change, isBusy, failure };
}
