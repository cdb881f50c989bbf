"use client";

import { useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { aWeek, type Expiry, ttlOf } from "@/components/lists/composer/expiry.ts";
import { readinessOf } from "@/components/lists/composer/readiness.ts";
import { usePreview } from "@/components/lists/composer/use-preview.ts";
import { writeLines } from "@/components/lists/composer/write-lines.ts";
import { resultOf } from "@/components/lists/list-words.ts";
import { reasonProblem } from "@/lib/enforce/lists/entry.ts";
import type { ListName } from "@/lib/redis/keys.ts";

interface Chosen {
  readonly list: ListName;
  readonly address: string;
  readonly expiry: Expiry;
  readonly reason: string;
}

export interface ListingOptions {
  readonly address: string;
  /** Prefilled reason for the audit log: the evidence. It can be edited. */
  readonly reason: string;
  readonly mayForever: boolean;
  readonly onDone: () => void;
}

/** State of the dialog: the choices, their preview, and the write. */
export function useListing({ address, reason, mayForever, onDone }: ListingOptions) {
  const [chosen, setChosen] = useState<Chosen>({ list: "blocklist", address, expiry: aWeek, reason });
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const { run, isBusy, failure } = useMutate();
  const tell = useTellChange();
  const { list, address: text } = chosen;
  const ttl = ttlOf(chosen.expiry, mayForever);
  const previewing = usePreview({ list, text, confirmed, ttlMs: ttl.ok ? ttl.value : undefined });
  const problem = reasonProblem(chosen.reason);
  const around = { text, ttl, reasonProblem: problem, failure: previewing.failure?.message };
  const ready = readinessOf(list, { ...around, ...previewing, failure: around.failure });

  const submit = async () => {
    if (!ready.can || isBusy) return;
    const done = await run(async () => {
      const total = await writeLines({ list, ready, text, reason: chosen.reason, confirmed });
      return total.failure ? { ok: false, error: total.failure } : { ok: true, value: total };
    });
    // The typed text stays until the write is done.
    if (!done) return;
    const total = done.value;
    onDone();
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    await tell({ tone, title: resultOf(list, total.done, ready.ttlMs), total });
  };
  return {
    ...{ chosen, problem, ready, isBusy, submit },
    preview: previewing.preview,
    failure: (failure ?? previewing.failure)?.message,
    choose: (next: Partial<Chosen>) => setChosen((before) => ({ ...before, ...next })),
    confirm: (range: string) => setConfirmed((before) => [...before, range]),
  };
}
