import { counted, countText } from "../../../../components/ui/count-text.ts";
import type { Parsed } from "../../../../lib/ip/parse.ts";
import type { LinesPreview } from "../../../../lib/lists/preview.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { outcomeOf, wordsOf } from "../list-words.ts";

export interface Circumstances {
  readonly text: string;
  readonly ttl: Parsed<number | null>;
  readonly reasonProblem: string | undefined;
  readonly preview: LinesPreview | undefined;
  /** The preview is of exactly what stands there now. */
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
      /** Some lines say themselves how long they last, or why. */
      readonly saysMore: boolean;
    }
  | { readonly can: false; readonly label: string; readonly why: string; readonly isChecking?: boolean };

const checking = "Looking at what each line would do.";

/** What the button says, and whether it may be pressed: only what the preview has shown is ever written. */
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
    ? `${wordsOf[list].verb} ${countText(addresses.length)} as the lines say`
    : outcomeOf(list, addresses.length, ttl.value);
  return { can: true, label, ttlMs: ttl.value, addresses, saysMore };
}

/** Cells beside the address: a life, a reason. */
function doLinesSayMore({ lines, willWrite }: LinesPreview): boolean {
  const written = new Set(willWrite);
  return lines.some(
    ({ address, text }) => address !== undefined && written.has(address) && text.includes(","),
  );
}

function nothingToWrite({ lines }: LinesPreview): string {
  const asked = lines.filter(({ status }) => status === "confirm").length;
  if (asked > 0)
    return `${counted(asked, "wide range")} ${asked === 1 ? "waits" : "wait"} to be typed again.`;
  return lines.length === 0 ? "There is no address in it." : "Every line is skipped; the preview says why.";
}
