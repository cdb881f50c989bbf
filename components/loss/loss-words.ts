import type { LossReply } from "../../lib/queries/loss.ts";
import { counted, countText } from "../ui/count-text.ts";

export type Lost = NonNullable<LossReply["loss"]>;

/** "1,204 blocked and 318 safelisted addresses" */
export function sayLost({ blocklist, safelist }: Lost): string {
  const parts = [
    blocklist > 0 ? `${countText(blocklist)} blocked` : "",
    safelist > 0 ? `${countText(safelist)} safelisted` : "",
  ];
  const noun = blocklist + safelist === 1 ? "address" : "addresses";
  return `${parts.filter(Boolean).join(" and ")} ${noun}`;
}

export function sayEntries({ blocklist, safelist }: Lost): string {
  return counted(blocklist + safelist, "entry", "entries");
}

export function sayRestored({ done, skippedCount }: { done: number; skippedCount: number }): string {
  const restored = `${counted(done, "entry", "entries")} restored`;
  return skippedCount === 0 ? `${restored}.` : `${restored}, ${countText(skippedCount)} left as they are:`;
}
