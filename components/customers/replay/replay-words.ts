import type { Tone } from "@/components/ui/tone.ts";
import { counted, countText } from "@/components/ui/value-text.ts";
import { shareUsed } from "@/lib/enforce/algorithms/algorithms.ts";
import { saySeconds } from "@/lib/enforce/policy/words.ts";
import type { CustomerReplay, ReplaySums } from "@/lib/queries/customer-day.ts";
import { sayTier } from "../customer-words.ts";

type Mode = CustomerReplay["mode"];

/** What limits would have made of the requests, as far as the mode lets them. */
export interface Outcome {
  readonly over: number;
  readonly tone: Tone;
  /** `of 6,060 would have been denied, in 9 windows` */
  readonly text: string;
}

export function outcomeOf({ requests, denied, windows, shadowed, levels }: ReplaySums, mode: Mode): Outcome {
  const over = mode === "enforce" ? denied : denied + shadowed;
  if (requests === 0) return { over, tone: "plain", text: "no requests" };
  if (levels.length === 0)
    return { over, tone: "plain", text: `no level counts the ${counted(requests, "request")}` };
  const of = `of ${counted(requests, "request")}`;
  if (over === 0) return { over, tone: "pass", text: `${of} would have been denied` };
  const where = windows > 0 ? `, in ${counted(windows, "window")}` : "";
  if (mode === "enforce") return { over, tone: "throttled", text: `${of} would have been denied${where}` };
  return { over, tone: "shadow", text: `${of} would be over${where}, and pass: the policy does not enforce` };
}

/** Notes beside the numbers, a sentence each. */
export function notesOf(
  replay: CustomerReplay,
  { isWanted, isCustom }: { isWanted: boolean; isCustom: boolean },
): string[] {
  const { before, after, mode } = replay;
  const shown = isWanted ? after : before;
  return [
    nearLimit(shown),
    isWanted && isCustom && shown.requests > 0 && sayFitting(replay.fitting),
    mode === "enforce" &&
      shown.shadowed > 0 &&
      `Rules in shadow would have denied ${countText(shown.shadowed)} of those that pass.`,
    replay.leftOut.length > 0 &&
      `Left out, because it depends on the exact time of each request: ${replay.leftOut.join(", ")}.`,
    replay.narrower.length > 0 && sayNarrower(replay.narrower),
    "By the minute, as reported by nodes. Counts may be low: in busy minutes, nodes report only the busiest clients. Windows begin empty 24 h ago.",
  ].filter((note) => typeof note === "string");
}

function sayNarrower(rules: readonly string[]): string {
  const leaves = rules.length === 1 ? "leaves" : "leave";
  return `${rules.join(", ")} ${leaves} some requests out, by path, method or app. The replay includes all requests.`;
}

const nearShare = 0.8;

/** The level that came closest without being reached. */
function nearLimit({ levels, denied }: ReplaySums): string | undefined {
  const closest = levels.toSorted((a, b) => shareUsed(b.peak, b.limit) - shareUsed(a.peak, a.limit))[0];
  if (denied > 0 || !closest || closest.peak < nearShare * closest.limit || closest.peak > closest.limit)
    return undefined;
  const share = Math.round((100 * closest.peak) / closest.limit);
  return `The busiest ${saySeconds(closest.periodSeconds)} reached ${share}% of the limit.`;
}

function sayFitting(tiers: readonly string[]): string | undefined {
  if (tiers.length === 0) return undefined;
  return `${tiers.map(sayTier).join(" or ")} would deny none of these requests.`;
}
