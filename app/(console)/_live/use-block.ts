"use client";

import { useState } from "react";
import type { ListName } from "../../../lib/redis/keys.ts";
import { addLines } from "../../_actions/lists.ts";
import { inSteps } from "../_lists/in-steps.ts";
import { resultOf } from "../_lists/list-words.ts";
import { useTellChange } from "../_lists/use-tell-change.tsx";

/** One click where somebody is read about: applied at once, told how far it got, and taken back within ten seconds. */
export function useBlock(address: string) {
  const [isBusy, setIsBusy] = useState(false);
  const tell = useTellChange();
  const put = async (list: ListName, ttlMs: number, reason: string) => {
    setIsBusy(true);
    const total = await inSteps(() => addLines({ list, addresses: [address], ttlMs, reason, confirmed: [] }));
    setIsBusy(false);
    const [first] = total.skipped;
    const title = total.done === 0 && first ? "Nothing was changed" : resultOf(list, total.done, ttlMs);
    tell({ tone: list === "blocklist" ? "blocked" : "safelisted", title, total });
  };
  return { isBusy, put };
}
