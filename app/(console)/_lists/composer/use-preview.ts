"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { LinesPreview } from "../../../../lib/lists/preview.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { previewLines } from "../../../_actions/lists.ts";
import type { Failure } from "../../../_server/failure.ts";
import { answered, isPassing } from "../in-steps.ts";

const pauseMs = 250;
const againMs = 3_000;

interface Asked {
  readonly list: ListName;
  readonly text: string;
  /** Nothing while it cannot be read. */
  readonly ttlMs: number | null | undefined;
  readonly confirmed: readonly string[];
}

export interface Previewing {
  /** What would happen, as far as it was asked: of the lines as they stood a moment ago. */
  readonly preview: LinesPreview | undefined;
  /** The text that it is of. */
  readonly of: string;
  /** It is of exactly what stands there now. */
  readonly isCurrent: boolean;
  readonly failure: Failure | undefined;
}

class PreviewFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Asks the server what would become of each line, a moment after the last key. While it or Redis is away, it is asked again. */
export function usePreview({ list, text, ttlMs, confirmed }: Asked): Previewing {
  const settled = useSettled(text);
  const isBlank = settled.trim() === "";
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["preview", list, settled, ttlMs, confirmed],
    queryFn: async () => {
      const input = { list, text: settled, ttlMs: ttlMs ?? null, reason: "", confirmed: [...confirmed] };
      const result = await answered(() => previewLines(input));
      if (!result.ok) throw new PreviewFailed(result.error);
      return { of: settled, preview: result.value };
    },
    enabled: !isBlank && ttlMs !== undefined,
    placeholderData: keepPreviousData,
    // What others do meanwhile changes the answer, so none is kept.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { error } }) =>
      error instanceof PreviewFailed && isPassing(error.failure) ? againMs : false,
  });
  if (text.trim() === "") return { preview: undefined, of: "", isCurrent: false, failure: undefined };
  return {
    preview: isBlank ? undefined : data?.preview,
    of: data?.of ?? "",
    isCurrent: settled === text && data !== undefined && !isPlaceholderData && !error,
    failure: error instanceof PreviewFailed ? error.failure : undefined,
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
