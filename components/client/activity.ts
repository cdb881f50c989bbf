import { durationText } from "@/components/ui/value-text.ts";
import { isWhole } from "@/lib/ip/block.ts";
import { readBlock } from "@/lib/ip/parse.ts";
import type { ClientDay } from "@/lib/queries/client.ts";

export const activityStepMs = 300_000;

/** Passed, and denied on top of it, in each step of the time. */
export function activityBars(
  minutes: ClientDay["minutes"],
  { from, until }: { from: number; until: number },
) {
  const bars = Array.from({ length: (until - from) / activityStepMs }, (_, i) => ({
    at: from + i * activityStepMs,
    values: [0, 0] as [number, number],
  }));
  for (const { at, requests, denied } of minutes) {
    const bar = bars[Math.floor((at - from) / activityStepMs)];
    if (!bar) continue;
    bar.values[0] += Math.max(0, requests - denied);
    bar.values[1] += denied;
  }
  return bars;
}

/** Nodes report a day's last two minutes late. */
const young = 2;

/** Requests that the numbers leave out. */
export function sayMissing(client: string, { unknownMinutes }: Pick<ClientDay, "unknownMinutes">): string {
  const few = isRange(client)
    ? "Requests are counted by address: of a range only samples are shown."
    : "Counts may be low: in busy minutes, nodes report only the busiest clients.";
  if (unknownMinutes <= young) return few;
  return `Without any report for ${durationText(unknownMinutes * 60_000)}. ${few}`;
}

/** Networks that count as one client are no ranges. */
export function isRange(client: string): boolean {
  const block = readBlock(client);
  return block !== undefined && !isWhole(block) && !(block.family === 6 && block.length >= 64);
}
