import { durationText } from "@/components/ui/value-text.ts";
import type { OffSpan } from "@/lib/queries/markers.ts";
import { dayClockText, minuteText } from "./axis-text.ts";
import { textWidth } from "./text-width.ts";

/** Longest label that fits into `room` px. Empty if none fits. */
export function offLabel(span: OffSpan, room: number): string {
  return labelsOf(span).find((label) => textWidth(label) + 8 <= room) ?? "";
}

function labelsOf({ from, until, isEarlier }: OffSpan): string[] {
  if (isEarlier) return ["Protection off", "Off"];
  const time = until === null ? `since ${minuteText(from)}` : durationText(until - from);
  return [`Protection off ${time}`, `Off ${time}`, "Off"];
}

/** Text for the table below a chart. */
export function offSentence({ from, until, isEarlier }: OffSpan): string {
  if (isEarlier) return until === null ? "Protection off" : `Protection off until ${dayClockText(until)}`;
  return until === null
    ? `Protection off since ${dayClockText(from)}`
    : `Protection off from ${dayClockText(from)} to ${dayClockText(until)}`;
}
