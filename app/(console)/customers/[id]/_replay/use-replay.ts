"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CustomerNow, Wished } from "../../../../../lib/queries/customer.ts";
import { type CustomerReplay, customerReplay } from "../../../../../lib/queries/customer-day.ts";
import { changesIn, wishedLevels } from "../_editor/changes.ts";
import type { Editor } from "../_editor/use-editor.ts";
import { useSettled } from "../_editor/use-settled.ts";

const askEveryMs = 10_000;

export interface ReplayNow {
  /** There is a draft, and it can be read. */
  readonly isWanted: boolean;
  readonly replay: CustomerReplay | undefined;
  /** It is of what was wished a moment ago. */
  readonly isBehind: boolean;
  readonly problem: string | undefined;
}

/** The last 24 hours under what stands and under what is about to be saved. */
export function useReplay({ now, base, draft }: Editor): ReplayNow {
  const levels = wishedLevels(draft, now);
  const isWanted = levels !== undefined && changesIn(draft, base).count > 0;
  const wished = isWanted ? { tier: draft.tier, levels: draft.rows === null ? null : levels } : standing(now);
  const text = JSON.stringify([wished, now.basedOn]);
  const isSettled = useSettled(text) === text;
  const { data, isPlaceholderData, error } = useQuery({
    ...customerReplay(now.id, wished),
    enabled: isSettled,
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
    retry: false,
  });
  return {
    ...{ isWanted, replay: data, problem: error?.message },
    isBehind: isPlaceholderData || !isSettled,
  };
}

function standing({ tier, override }: CustomerNow): Wished {
  return { tier: tier?.isKnown ? tier.name : "", levels: override?.levels ?? null };
}
