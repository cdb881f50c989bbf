import { counted, countText } from "@/components/ui/value-text.ts";
import type { LossReply } from "@/lib/queries/loss.ts";

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
