import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { namesOf } from "@/components/console/owner-words.ts";
import { counted, countText } from "@/components/ui/value-text.ts";
import { reasonProblem } from "@/lib/enforce/lists/entry.ts";
import type { Parsed } from "@/lib/ip/parse.ts";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import { parseTags } from "@/lib/manage/lists/tags.ts";
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
  /** Addresses of customers that were chosen. Undefined: customers are not asked for. */
  readonly withCustomers?: readonly string[];
}

/** Preview of a draft: the verdicts of its lines, what is wrong with its reason, and whether it can be written. */
export function usePreview({
  list,
  text,
  expiry,
  reason,
  tags,
  confirmed,
  mayForever,
  withCustomers,
}: Asked) {
  const ttl = ttlOf(expiry, mayForever);
  const tagged = parseTags(tags);
  const { isCurrent, ...verdicts } = useVerdicts(
    { list, confirmed, tags: tagged.ok ? tagged.value : [], ...(withCustomers && { withCustomers }) },
    text,
    ttl.ok ? ttl.value : undefined,
  );
  const problem = reasonProblem(reason);
  const failure = verdicts.failure?.message;
  const around = {
    text,
    ttl,
    tags: tagged,
    preview: verdicts.preview,
    isCurrent,
    reasonProblem: problem,
    failure,
  };
  return { ...verdicts, problem, ready: readinessOf(list, around) };
}

/**
 * Verdicts of all lines, from the server, shortly after the last key. Retries while the server or Redis is unavailable.
 *
 * @param ttlMs undefined while it is invalid
 * @returns the last preview, possibly `of` an earlier text; whether it is current, and why not
 */
function useVerdicts(
  chosen: Pick<Asked, "list" | "confirmed" | "withCustomers"> & { readonly tags: readonly string[] },
  text: string,
  ttlMs: number | null | undefined,
) {
  const settled = useSettled(text);
  const isBlank = settled.trim() === "";
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["preview", chosen.list, settled, ttlMs, chosen],
    queryFn: async ({ signal }) => {
      const pieces: Piece[] = [];
      for (const chunk of chunksOf(settled)) {
        const asked = { ...chosen, text: chunk.text, ttlMs: ttlMs ?? null, reason: "" };
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
    refetchInterval: ({ state: { error } }) => (error && failureOf(error).isPassing ? againMs : false),
  });
  if (text.trim() === "") return { preview: undefined, of: "", isCurrent: false, failure: undefined };
  return {
    preview: isBlank ? undefined : data?.preview,
    of: data?.of ?? "",
    isCurrent: settled === text && data !== undefined && !isPlaceholderData && !error,
    failure: error ? failureOf(error) : undefined,
  };
}

export interface CheckFailure {
  readonly message: string;
  /** The check may succeed later, and is retried. */
  readonly isPassing: boolean;
}

export function failureOf(error: Error): CheckFailure {
  return { message: error.message, isPassing: error instanceof ReadError && error.isPassing };
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
  readonly tags: Parsed<readonly string[]>;
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
      /** For all lines. */
      readonly tags: readonly string[];
      /** Some lines have their own duration or reason. */
      readonly saysMore: boolean;
      /** All entries exist, and their tags alone change. */
      readonly isTagging: boolean;
    }
  | { readonly can: false; readonly label: string; readonly why: string; readonly isChecking?: boolean };

const checking = "Checking each line.";

/** Label and state of the button. Only addresses that the preview has shown are written. */
export function readinessOf(list: ListName, around: Circumstances): Readiness {
  const { text, ttl, tags, reasonProblem, preview, isCurrent, failure } = around;
  const no = (why: string, label: string = wordsOf[list].verb): Readiness => ({ can: false, label, why });
  if (text.trim() === "") return no("Paste an address first.");
  if (!ttl.ok) return no(`${ttl.reason}.`);
  if (reasonProblem !== undefined) return no(`${reasonProblem}.`);
  if (!tags.ok) return no(`${tags.reason}.`);
  if (failure !== undefined) return no(failure);
  if (!preview || !isCurrent) return { can: false, label: "Checking", why: checking, isChecking: true };
  const addresses = preview.willWrite;
  if (addresses.length === 0)
    return no(nothingToWrite(preview), `Nothing to ${wordsOf[list].verb.toLowerCase()}`);
  const saysMore = doLinesSayMore(preview);
  const isTagging = isOnlyTagging(preview);
  const label = isTagging
    ? `Tag ${countText(addresses.length)}`
    : saysMore
      ? `${wordsOf[list].verb} ${countText(addresses.length)} as specified`
      : `${outcomeOf(list, addresses.length, ttl.value)}${withCustomersOf(preview)}`;
  return { can: true, label, ttlMs: ttl.value, addresses, tags: tags.value, saysMore, isTagging };
}

function isOnlyTagging({ lines, willWrite }: LinesPreview): boolean {
  const written = new Set(willWrite);
  const kinds = lines.filter(({ address }) => address !== undefined && written.has(address));
  return kinds.length > 0 && kinds.every(({ status }) => status === "tags" || status === "duplicate");
}

function doLinesSayMore({ lines, willWrite }: LinesPreview): boolean {
  const written = new Set(willWrite);
  return lines.some(({ address, saysMore }) => saysMore && address !== undefined && written.has(address));
}

/** ", with customer acme" */
function withCustomersOf({ lines, willWrite }: LinesPreview): string {
  const written = new Set(willWrite);
  const owners = lines.flatMap(({ address, owners = [] }) =>
    address !== undefined && written.has(address) ? owners : [],
  );
  const customers = [...new Set(owners.map(({ customer }) => customer))];
  if (customers.length === 0) return "";
  const named = namesOf(customers.map((customer) => ({ customer })));
  return `, with ${customers.length === 1 ? "customer" : "customers"} ${named}`;
}

function nothingToWrite({ lines }: LinesPreview): string {
  const asked = lines.filter(({ status }) => status === "confirm").length;
  if (asked > 0)
    return `Type ${counted(asked, "wide range")} again to confirm ${asked === 1 ? "it" : "them"}.`;
  if (lines.some(({ suggestions = [] }) => suggestions.length > 0))
    return "Use the suggestions, or edit the lines.";
  return lines.length === 0
    ? "The text contains no address."
    : "Every line is skipped. The preview shows why.";
}
