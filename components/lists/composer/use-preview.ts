"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import { linesPreview } from "@/lib/queries/preview.ts";
import { ReadError } from "@/lib/queries/query.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { chunksOf, merged, type PiecePreview } from "../import/file-chunks.ts";

const pauseMs = 250;
const againMs = 3_000;

interface Asked {
  readonly list: ListName;
  readonly text: string;
  /** Undefined while it is invalid. */
  readonly ttlMs: number | null | undefined;
  readonly confirmed: readonly string[];
}

export interface Previewing {
  /** Last preview, possibly of an earlier text. */
  readonly preview: LinesPreview | undefined;
  /** Text of the preview. */
  readonly of: string;
  /** The preview is of the current text. */
  readonly isCurrent: boolean;
  /** Why the preview is not current. */
  readonly failure: Error | undefined;
}

/** Verdicts of all lines, from the server, shortly after the last key. Retries while the server or Redis is unavailable. */
export function usePreview({ list, text, ttlMs, confirmed }: Asked): Previewing {
  const settled = useSettled(text);
  const isBlank = settled.trim() === "";
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["preview", list, settled, ttlMs, confirmed],
    queryFn: async ({ signal }) => {
      const pieces: PiecePreview[] = [];
      for (const { text, firstLine } of chunksOf(settled)) {
        const asked = { list, text, ttlMs: ttlMs ?? null, reason: "", confirmed };
        pieces.push({ preview: await linesPreview(asked).queryFn({ signal }), firstLine });
      }
      return { of: settled, preview: merged(pieces) };
    },
    enabled: !isBlank && ttlMs !== undefined,
    placeholderData: keepPreviousData,
    // Changes by other users change the verdicts: no reply is cached.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { error } }) =>
      error instanceof ReadError && error.isPassing ? againMs : false,
  });
  if (text.trim() === "") return { preview: undefined, of: "", isCurrent: false, failure: undefined };
  return {
    preview: isBlank ? undefined : data?.preview,
    of: data?.of ?? "",
    isCurrent: settled === text && data !== undefined && !isPlaceholderData && !error,
    failure: error ?? undefined,
  };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
