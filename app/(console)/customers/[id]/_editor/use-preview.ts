"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type LevelsPreview, levelsPreview, type Wished } from "../../../../../lib/queries/customer.ts";
import { changesIn, wishedLevels } from "./changes.ts";
import type { Editor } from "./use-editor.ts";
import { useSettled } from "./use-settled.ts";

const askEveryMs = 2_000;

export interface PreviewNow {
  /** The draft differs from what is in force, and can be read. */
  readonly isWanted: boolean;
  readonly preview: LevelsPreview | undefined;
  /** It is of what was wished a moment ago. */
  readonly isBehind: boolean;
}

/** What the draft would mean for the next request, asked once typing pauses and kept live. */
export function usePreview({ now, base, draft }: Editor): PreviewNow {
  const levels = wishedLevels(draft, now);
  const isWanted = levels !== undefined && changesIn(draft, base).count > 0;
  const wished: Wished = { tier: draft.tier, levels: draft.rows === null ? null : (levels ?? null) };
  const settled = useSettled(JSON.stringify(wished));
  const { data, isPlaceholderData, isError } = useQuery({
    ...levelsPreview(now.id, wished),
    enabled: isWanted && settled === JSON.stringify(wished),
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
  });
  return {
    isWanted,
    preview: isWanted && !isError ? data : undefined,
    isBehind: isWanted && isPlaceholderData,
  };
}
