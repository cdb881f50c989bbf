import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { reasonProblem } from "@/lib/enforce/lists/entry.ts";
import { linesPreview } from "@/lib/queries/preview.ts";
import { ReadError } from "@/lib/queries/query.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { chunksOf, merged, type PiecePreview } from "../import/file-chunks.ts";

import type { Draft } from "./draft.ts";
import { ttlOf } from "./expiry.ts";
import { readinessOf } from "./readiness.ts";

const pauseMs = 250;
const againMs = 3_000;

interface Asked extends Draft {
  readonly list: ListName;
  readonly confirmed: readonly string[];
  readonly mayForever: boolean;
}

/** Preview of a draft: the verdicts of its lines, what is wrong with its reason, and whether it can be written. */
export function usePreview({ list, text, expiry, reason, confirmed, mayForever }: Asked) {
  const ttl = ttlOf(expiry, mayForever);
  const { isCurrent, ...verdicts } = useVerdicts(list, text, ttl.ok ? ttl.value : undefined, confirmed);
  const problem = reasonProblem(reason);
  const failure = verdicts.failure?.message;
  const around = { text, ttl, preview: verdicts.preview, isCurrent, reasonProblem: problem, failure };
  return { ...verdicts, problem, ready: readinessOf(list, around) };
}

/**
 * Verdicts of all lines, from the server, shortly after the last key. Retries while the server or Redis is unavailable.
 *
 * @param ttlMs undefined while it is invalid
 * @returns the last preview, possibly `of` an earlier text; whether it is current, and why not
 */
function useVerdicts(
  list: ListName,
  text: string,
  ttlMs: number | null | undefined,
  confirmed: readonly string[],
) {
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
