import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { counted, countText } from "@/components/ui/value-text.ts";
import { reasonProblem } from "@/lib/enforce/lists/entry.ts";
import type { Parsed } from "@/lib/ip/parse.ts";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import { linesPreview } from "@/lib/queries/preview.ts";
import { ReadError } from "@/lib/queries/query.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { chunksOf, merged, type Piece } from "../import/file-chunks.ts";
import { outcomeOf, wordsOf } from "../list-words.ts";
import type { Draft } from "./draft.ts";
import { ttlOf } from "./expiry.ts";

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
      const pieces: Piece[] = [];
      for (const chunk of chunksOf(settled)) {
        const asked = { list, text: chunk.text, ttlMs: ttlMs ?? null, reason: "", confirmed };
        pieces.push({ preview: await linesPreview(asked).queryFn({ signal }), chunk });
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

export interface Circumstances {
  readonly text: string;
  readonly ttl: Parsed<number | null>;
  readonly reasonProblem: string | undefined;
  readonly preview: LinesPreview | undefined;
  /** The preview is of the current text. */
  readonly isCurrent: boolean;
  /** Why there is no preview. */
  readonly failure: string | undefined;
}

export type Readiness =
  | {
      readonly can: true;
      readonly label: string;
      readonly ttlMs: number | null;
      readonly addresses: readonly string[];
      /** Some lines have their own duration or reason. */
      readonly saysMore: boolean;
    }
  | { readonly can: false; readonly label: string; readonly why: string; readonly isChecking?: boolean };

const checking = "Checking each line.";

/** Label and state of the button. Only addresses that the preview has shown are written. */
export function readinessOf(list: ListName, around: Circumstances): Readiness {
  const { text, ttl, reasonProblem, preview, isCurrent, failure } = around;
  const no = (why: string, label: string = wordsOf[list].verb): Readiness => ({ can: false, label, why });
  if (text.trim() === "") return no("Paste an address first.");
  if (!ttl.ok) return no(`${ttl.reason}.`);
  if (reasonProblem !== undefined) return no(`${reasonProblem}.`);
  if (failure !== undefined) return no(failure);
  if (!preview || !isCurrent) return { can: false, label: "Checking", why: checking, isChecking: true };
  const addresses = preview.willWrite;
  if (addresses.length === 0)
    return no(nothingToWrite(preview), `Nothing to ${wordsOf[list].verb.toLowerCase()}`);
  const saysMore = doLinesSayMore(preview);
  const label = saysMore
    ? `${wordsOf[list].verb} ${countText(addresses.length)} as specified`
    : outcomeOf(list, addresses.length, ttl.value);
  return { can: true, label, ttlMs: ttl.value, addresses, saysMore };
}

/** Cells beside the address: a duration, a reason. */
function doLinesSayMore({ lines, willWrite }: LinesPreview): boolean {
  const written = new Set(willWrite);
  return lines.some(
    ({ address, text }) => address !== undefined && written.has(address) && text.includes(","),
  );
}

function nothingToWrite({ lines }: LinesPreview): string {
  const asked = lines.filter(({ status }) => status === "confirm").length;
  if (asked > 0)
    return `Type ${counted(asked, "wide range")} again to confirm ${asked === 1 ? "it" : "them"}.`;
  return lines.length === 0
    ? "The text contains no address."
    : "Every line is skipped. The preview shows why.";
}
