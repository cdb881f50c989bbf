import { counted, countText } from "@/components/ui/value-text.ts";
import type { Parsed } from "@/lib/ip/parse.ts";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { outcomeOf, wordsOf } from "../list-words.ts";

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
