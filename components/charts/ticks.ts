import { minuteText, monthDayText, secondsText } from "@/components/ui/value-text.ts";
import { textWidth } from "./text-width.ts";

interface TimeTick {
  /** Time in ms. */
  readonly at: number;
  readonly text: string;
}

const [minute, hour, day] = [60, 3_600, 86_400];
/** Steps that are round on a clock, in seconds. */
const steps = [
  ...[5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day],
];
/** Gap between two labels, in px. */
const gap = 18;

interface Axis {
  readonly from: number;
  readonly until: number;
  /** Width of the plot in px. */
  readonly width: number;
}

/** Round times, as many as have room for their labels. Midnight shows the day. */
export function timeTicks({ from, until, width }: Axis): TimeTick[] {
  const span = Math.max(1, until - from);
  const step = steps.find((seconds) => hasRoom(seconds, (width * seconds * 1_000) / span)) ?? 0;
  const stepMs = step * 1_000 || span;
  const first = Math.ceil(from / stepMs) * stepMs;
  const count = Math.max(0, Math.floor((until - first) / stepMs) + 1);
  return Array.from({ length: count }, (_, i) => {
    const at = first + i * stepMs;
    return { at, text: tickText(at, step) };
  });
}

function hasRoom(stepSeconds: number, width: number): boolean {
  const widest = stepSeconds < minute ? "00:00:00" : stepSeconds < day ? "00:00" : "30 May";
  return width >= textWidth(widest) + gap;
}

function tickText(at: number, stepSeconds: number): string {
  if (stepSeconds >= day || at % (day * 1_000) === 0) return monthDayText(at);
  return stepSeconds < minute ? secondsText(at) : minuteText(at);
}

/** Maximum number of steps. */
const most = 5;

/**
 * Values on an axis: from 0 in steps of 1, 2 or 5 times a power of ten, until no value is above the last.
 * @param highest largest value of the chart
 */
export function valueTicks(highest: number, { isWhole = false }: { isWhole?: boolean } = {}): number[] {
  const top = highest > 0 ? highest : 1;
  const rough = top / most;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * ten >= rough) ?? 10) * ten;
  const round = isWhole ? Math.max(1, step) : step;
  // Twelve digits, so that 3 × 0.1 is 0.3.
  const count = Math.ceil(Number((top / round).toPrecision(12)));
  return Array.from({ length: count + 1 }, (_, i) => Number((i * round).toPrecision(12)));
}
