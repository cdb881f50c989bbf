import { ReferenceDot } from "recharts";
import { countText } from "@/components/ui/value-text.ts";
import { halo } from "./plot.ts";

/** Requests and permitted requests up to a moment. */
export interface Sum {
  readonly atSeconds: number;
  readonly requests: number;
  readonly permitted: number;
}

/** A label at a point of the curve of permitted requests. */
export interface Mark {
  readonly atSeconds: number;
  readonly permitted: number;
  readonly text: string;
}

interface Frame {
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  /** Highest value of the axis. */
  readonly highest: number;
}

/** Height of the plot in px. */
const plotHeight = 196;
const labelHeight = 30;

/** Puts the first label below its point if there is room, and the next above, so that both are readable on a phone. */
export function MarkLabels({ marks, frame }: { marks: readonly Mark[]; frame: Frame }) {
  const { fromSeconds, untilSeconds, highest } = frame;
  const hasRoomBelow = ((marks[0]?.permitted ?? 0) / highest) * plotHeight > 16;
  const shifts = hasRoomBelow ? [14, -10] : [-10, -23];
  return marks.map(({ atSeconds, permitted, text }, i) => {
    const isLate = atSeconds - fromSeconds > 0.55 * (untilSeconds - fromSeconds);
    return (
      <ReferenceDot
        key={text}
        x={atSeconds}
        y={permitted}
        r={4}
        fill="var(--surface)"
        stroke="var(--safelisted-graphic)"
        strokeWidth={2}
        label={<ChartText lines={[{ text }]} anchor={isLate ? "end" : "start"} dy={shifts[i] ?? 0} />}
      />
    );
  });
}

/** Totals beside the ends of both curves. They never overlap. */
export function EndLabels({ last, highest }: { last: Sum | undefined; highest: number }) {
  if (!last) return null;
  const { requests, permitted } = last;
  const up = liftOf(last, highest);
  const ends = [
    { value: requests, word: "requests", color: "var(--blocked)", dy: -up },
    { value: permitted, word: "permitted", color: "var(--safelisted)", dy: overlapOf(last, highest) - up },
  ];
  return ends.map(({ value, word, color, dy }) => (
    <ReferenceDot
      key={word}
      x={last.atSeconds}
      y={value}
      r={0}
      label={
        <ChartText
          lines={[{ text: countText(value), isBold: true }, { text: word }]}
          color={color}
          dx={8}
          dy={dy - 2}
        />
      }
    />
  ));
}

function overlapOf({ requests, permitted }: Sum, highest: number): number {
  return Math.max(0, labelHeight - ((requests - permitted) / highest) * plotHeight);
}

/** Distance that an overlap moves the upper label, in px: half of it, more near the axis, less near the top. */
function liftOf(sum: Sum, highest: number): number {
  const overlap = overlapOf(sum, highest);
  const missingBelow = 24 - (sum.permitted / highest) * plotHeight;
  const roomAbove = (1 - sum.requests / highest) * plotHeight;
  return Math.min(overlap, roomAbove, Math.max(overlap / 2, missingBelow));
}

interface ChartTextProps {
  lines: readonly { readonly text: string; readonly isBold?: boolean }[];
  anchor?: "start" | "end";
  color?: string;
  dx?: number;
  dy?: number;
  /** Box of the labelled element, passed by Recharts. */
  viewBox?: { x?: number; y?: number; width?: number; height?: number };
}

/** Text at a point of a chart. An outline in the colour of the card keeps it readable. */
export function ChartText(props: ChartTextProps) {
  const { lines, anchor = "start", color = "var(--text)", dx = 0, dy = 0, viewBox = {} } = props;
  const x = (viewBox.x ?? 0) + (viewBox.width ?? 0) / 2 + dx;
  const y = (viewBox.y ?? 0) + (viewBox.height ?? 0) / 2 + dy;
  return (
    <text x={x} y={y} textAnchor={anchor} fontSize={11} fill={color} {...halo}>
      {lines.map(({ text, isBold = false }, i) => (
        <tspan key={text} x={x} dy={i === 0 ? 0 : 13} fontWeight={isBold ? 600 : 400}>
          {text}
        </tspan>
      ))}
    </text>
  );
}
