"use client";

import { useState } from "react";
import { reasonProblem } from "../../../../lib/lists/note.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { aWeek, type Expiry, ttlOf } from "../../_lists/composer/expiry.ts";
import { readinessOf } from "../../_lists/composer/readiness.ts";
import { usePreview } from "../../_lists/composer/use-preview.ts";
import { writeLines } from "../../_lists/composer/write-lines.ts";
import { resultOf } from "../../_lists/list-words.ts";
import { useTellChange } from "../../_lists/use-tell-change.tsx";

interface Chosen {
  readonly list: ListName;
  readonly address: string;
  readonly expiry: Expiry;
  readonly reason: string;
}

export interface ListingOptions {
  readonly address: string;
  /** What was seen, for the audit log; it may be written anew. */
  readonly reason: string;
  readonly onDone: () => void;
}

/** One address or range on its way onto a list: what is chosen, what it would do, and doing it. */
export function useListing({ address, reason, onDone }: ListingOptions) {
  const [chosen, setChosen] = useState<Chosen>({ list: "blocklist", address, expiry: aWeek, reason });
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const tell = useTellChange();
  const { list, address: text } = chosen;
  const ttl = ttlOf(chosen.expiry);
  const previewing = usePreview({ list, text, confirmed, ttlMs: ttl.ok ? ttl.value : undefined });
  const problem = reasonProblem(chosen.reason);
  const around = { text, ttl, reasonProblem: problem, failure: previewing.failure?.message };
  const ready = readinessOf(list, { ...around, ...previewing, failure: around.failure });

  const submit = async () => {
    if (!ready.can || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    const total = await writeLines({ list, ready, text, reason: chosen.reason, confirmed });
    setIsBusy(false);
    // What was typed stays until it is done.
    if (total.failure) return setFailure(total.failure.message);
    onDone();
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    await tell({ tone, title: resultOf(list, total.done, ready.ttlMs), total });
  };
  return {
    ...{ chosen, problem, ready, isBusy, submit },
    preview: previewing.preview,
    failure: failure ?? previewing.failure?.message,
    choose: (next: Partial<Chosen>) => setChosen((before) => ({ ...before, ...next })),
    confirm: (range: string) => setConfirmed((before) => [...before, range]),
  };
}
