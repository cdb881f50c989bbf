import { counted, countText } from "@/components/ui/value-text.ts";
import type { LossReply } from "@/lib/queries/entries.ts";

export type Lost = NonNullable<LossReply["loss"]>;

/** "1,204 blocked and 318 safelisted addresses" */
export function sayLost({ blocklist, safelist, neverBlock }: Lost): string {
  if (blocklist + safelist === 0) return sayRanges(neverBlock);
  const parts = [
    blocklist > 0 ? `${countText(blocklist)} blocked` : "",
    safelist > 0 ? `${countText(safelist)} safelisted` : "",
  ];
  const noun = blocklist + safelist === 1 ? "address" : "addresses";
  return `${parts.filter(Boolean).join(" and ")} ${noun}`;
}

export function sayEntries({ blocklist, safelist, neverBlock }: Lost): string {
  if (blocklist + safelist === 0) return sayRanges(neverBlock);
  return counted(blocklist + safelist, "entry", "entries");
}

export function sayRestored({ done, skippedCount }: { done: number; skippedCount: number }): string {
  const restored = `${counted(done, "entry", "entries")} restored`;
  return skippedCount === 0 ? `${restored}.` : `${restored}, ${countText(skippedCount)} skipped:`;
}

const sayRanges = (count: number) => counted(count, "protected range");

/** Result of one call. */
interface RestoredPart {
  readonly change: number | null;
  readonly done: number;
  /** First hundred skipped entries, and why. */
  readonly skipped: readonly { readonly address: string; readonly message: string }[];
  readonly skippedCount: number;
  /** Number of entries still to restore. The caller repeats the call until it is 0. */
  readonly left: number;
}

/** Progress of all calls. */
export interface Restoring extends RestoredPart {
  readonly isUnderWay: boolean;
  /** Why it stopped. */
  readonly problem?: string;
}

export function added(sum: Restoring, part: RestoredPart): Restoring {
  const { problem: _, ...rest } = sum;
  return {
    ...rest,
    change: part.change ?? sum.change,
    done: sum.done + part.done,
    skipped: [...sum.skipped, ...part.skipped].slice(0, 100),
    skippedCount: sum.skippedCount + part.skippedCount,
    left: part.left,
  };
}
