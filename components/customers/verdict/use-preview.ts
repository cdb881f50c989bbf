"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type LevelsDraft, type LevelsPreview, levelsPreview } from "@/lib/queries/customer.ts";
import { changesIn, wishedLevels } from "../draft/changes.ts";
import type { Editor } from "../draft/use-editor.ts";
import { useSettled } from "../draft/use-settled.ts";

const askEveryMs = 2_000;

export interface PreviewNow {
  /** The draft differs from what is in force, and can be read. */
  readonly isWanted: boolean;
  readonly preview: LevelsPreview | undefined;
  /** The result belongs to an earlier draft. */
  readonly isBehind: boolean;
}

/** What the draft would mean for the next request, asked once typing pauses and kept live. */
export function usePreview({ now, base, draft }: Editor): PreviewNow {
  const levels = wishedLevels(draft, now);
  const isWanted = levels !== undefined && changesIn(draft, base).count > 0;
  const wished: LevelsDraft = { tier: draft.tier, levels: draft.rows === null ? null : (levels ?? null) };
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
