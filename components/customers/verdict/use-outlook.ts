"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSettled } from "@/components/console/use-settled.ts";
import { type LevelsDraft, levelsPreview } from "@/lib/queries/customer.ts";
import { customerReplay } from "@/lib/queries/customer-day.ts";
import { changesIn, wishedLevels } from "../draft/draft.ts";
import type { Editor } from "../draft/use-editor.ts";

const pauseMs = 250;
const previewEveryMs = 2_000;
const replayEveryMs = 10_000;

/** What the draft would mean for the next request, asked once typing pauses and kept live. */
export function usePreview(editor: Editor) {
  const { isWanted, levels } = wishOf(editor);
  const text = JSON.stringify(levels);
  const isSettled = useSettled(text, pauseMs) === text;
  const { data, isPlaceholderData, isError } = useQuery({
    ...levelsPreview(editor.now.id, levels),
    enabled: isWanted && isSettled,
    placeholderData: keepPreviousData,
    refetchInterval: previewEveryMs,
  });
  return {
    isWanted,
    preview: isWanted && !isError ? data : undefined,
    /** The result belongs to an earlier draft. */
    isBehind: isWanted && isPlaceholderData,
  };
}

/** The last 24 hours under the limits in force and under the draft. */
export function useReplay(editor: Editor) {
  const { isWanted, levels } = wishOf(editor);
  const text = JSON.stringify([levels, editor.now.basedOn]);
  const isSettled = useSettled(text, pauseMs) === text;
  const read = useQuery({
    ...customerReplay(editor.now.id, levels),
    enabled: isSettled,
    placeholderData: keepPreviousData,
    refetchInterval: replayEveryMs,
    retry: false,
  });
  return { isWanted, read, isBehind: read.isPlaceholderData || !isSettled };
}

/** The draft as a request. Without a draft that can be read and differs from what is in force, the customer itself. */
function wishOf({ now, base, draft }: Editor): { isWanted: boolean; levels: LevelsDraft } {
  const wished = wishedLevels(draft, now);
  const isWanted = wished !== undefined && changesIn(draft, base).count > 0;
  if (isWanted)
    return { isWanted, levels: { tier: draft.tier, levels: draft.rows === null ? null : wished } };
  const { tier, override } = now;
  return { isWanted, levels: { tier: tier?.isKnown ? tier.name : "", levels: override?.levels ?? null } };
}
