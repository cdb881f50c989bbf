"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LiveRead } from "@/components/console/read-state.tsx";
import type { CustomerNow, LevelsDraft } from "@/lib/queries/customer.ts";
import { type CustomerReplay, customerReplay } from "@/lib/queries/customer-day.ts";
import { changesIn, wishedLevels } from "../draft/changes.ts";
import type { Editor } from "../draft/use-editor.ts";
import { useSettled } from "../draft/use-settled.ts";

const askEveryMs = 10_000;

export interface ReplayNow {
  /** There is a draft, and it can be read. */
  readonly isWanted: boolean;
  readonly read: LiveRead<CustomerReplay>;
  /** The result belongs to an earlier draft. */
  readonly isBehind: boolean;
}

/** The last 24 hours under the limits in force and under the draft. */
export function useReplay({ now, base, draft }: Editor): ReplayNow {
  const levels = wishedLevels(draft, now);
  const isWanted = levels !== undefined && changesIn(draft, base).count > 0;
  const wished = isWanted ? { tier: draft.tier, levels: draft.rows === null ? null : levels } : standing(now);
  const text = JSON.stringify([wished, now.basedOn]);
  const isSettled = useSettled(text) === text;
  const read = useQuery({
    ...customerReplay(now.id, wished),
    enabled: isSettled,
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
    retry: false,
  });
  return {
    ...{ isWanted, read },
    isBehind: read.isPlaceholderData || !isSettled,
  };
}

function standing({ tier, override }: CustomerNow): LevelsDraft {
  return { tier: tier?.isKnown ? tier.name : "", levels: override?.levels ?? null };
}
