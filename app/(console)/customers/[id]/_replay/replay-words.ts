import { counted, countText } from "../../../../../components/ui/count-text.ts";
import type { Tone } from "../../../../../components/ui/tone.ts";
import { saySeconds } from "../../../../../lib/policy/words.ts";
import type { CustomerReplay, LevelReplayed, Replayed } from "../../../../../lib/queries/customer-day.ts";
import { sayTier } from "../../level-words.ts";

type Mode = CustomerReplay["mode"];

/** What limits would have made of the requests, as far as the mode lets them. */
export interface Outcome {
  readonly over: number;
  readonly tone: Tone;
  /** `of 6,060 would have been denied, in 9 windows` */
  readonly text: string;
}

export function outcomeOf({ requests, denied, windows, shadowed, levels }: Replayed, mode: Mode): Outcome {
  const over = mode === "enforce" ? denied : denied + shadowed;
  if (requests === 0) return { over, tone: "plain", text: "no request came" };
  if (levels.length === 0)
    return { over, tone: "plain", text: `no level counts the ${counted(requests, "request")}` };
  const of = `of ${counted(requests, "request")}`;
  if (over === 0) return { over, tone: "pass", text: `${of} would have been denied` };
  const where = windows > 0 ? `, in ${counted(windows, "window")}` : "";
  if (mode === "enforce") return { over, tone: "throttled", text: `${of} would have been denied${where}` };
  return { over, tone: "shadow", text: `${of} would be over${where}, and pass: the policy does not enforce` };
}

/** What stands beside the numbers, a sentence each. */
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
      `Left out, because it weighs each request by its own moment: ${replay.leftOut.join(", ")}.`,
    replay.narrower.length > 0 && sayNarrower(replay.narrower),
    "By the minute, as far as nodes reported it: of busy minutes they tell only the busiest clients, so it can be too few. Windows begin empty 24 h ago.",
  ].filter((note) => typeof note === "string");
}

function sayNarrower(rules: readonly string[]): string {
  const [leaves, where] = rules.length === 1 ? ["leaves", "it is"] : ["leave", "they are"];
  return `${rules.join(", ")} ${leaves} some requests out, by path, method or app; here ${where} given all.`;
}

const nearShare = 0.8;

/** The level that came closest without being reached. */
function nearLimit({ levels, denied }: Replayed): string | undefined {
  const closest = levels.toSorted((a, b) => b.peak / b.limit - a.peak / a.limit)[0];
  if (denied > 0 || !closest || closest.peak < nearShare * closest.limit || closest.peak > closest.limit)
    return undefined;
  const share = Math.round((100 * closest.peak) / closest.limit);
  return `The busiest ${saySeconds(closest.periodSeconds)} came to ${share}% of the limit.`;
}

function sayFitting(tiers: readonly string[]): string | undefined {
  if (tiers.length === 0) return undefined;
  return `${tiers.map(sayTier).join(" or ")} would deny none of them.`;
}

/** One window of the table: with what came in it at most, before and after. */
export interface WindowReplayed {
  readonly name: string;
  readonly peak: number;
  readonly before: LevelReplayed | undefined;
  readonly after: LevelReplayed | undefined;
}

/** A rule's name is told only where several rules count the customer. */
export function windowsOf(
  before: readonly LevelReplayed[],
  after: readonly LevelReplayed[],
): WindowReplayed[] {
  const rules = new Set([...before, ...after].map(({ rule }) => rule));
  const nameOf = ({ rule, periodSeconds }: LevelReplayed) =>
    rules.size > 1 ? `${saySeconds(periodSeconds)}, ${rule}` : saySeconds(periodSeconds);
  const ordered = [...before, ...after].toSorted((a, b) => a.periodSeconds - b.periodSeconds);
  return [...new Map(ordered.map((level) => [nameOf(level), level]))].map(([name, { peak }]) => ({
    ...{ name, peak },
    before: before.find((level) => nameOf(level) === name),
    after: after.find((level) => nameOf(level) === name),
  }));
}
