"use client";

import { inSteps } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { resultOf } from "@/components/lists/list-words.ts";
import { addLines } from "@/lib/console/actions/lists.ts";
import type { ListName } from "@/lib/redis/keys.ts";

/** Blocks or safelists with one click. A toast shows the progress and offers undo. */
export function useBlock(address: string) {
  const { run, isBusy } = useMutate();
  const tell = useTellChange();
  const put = async (list: ListName, ttlMs: number, reason: string) => {
    const input = { list, addresses: [address], ttlMs, reason, confirmed: [] };
    const done = await run(async () => ({ ok: true, value: await inSteps(() => addLines(input)) }));
    if (!done) return;
    const total = done.value;
    const [first] = total.skipped;
    const title = total.done === 0 && first ? "Nothing was changed" : resultOf(list, total.done, ttlMs);
    tell({ tone: list === "blocklist" ? "blocked" : "safelisted", title, total });
  };
  return { isBusy, put };
}
