import { XAxis, YAxis } from "recharts";
import { axisTimeText, ticksBetween } from "./lab-text.ts";

export const axisText = { fill: "var(--text-3)", fontSize: 11 };

interface TimeAxisProps {
  fromSeconds: number;
  untilSeconds: number;
  stepSeconds: number;
}

/** Axis in seconds or minutes. The last tick has the unit. */
export function TimeAxis({ fromSeconds, untilSeconds, stepSeconds }: TimeAxisProps) {
  const ticks = ticksBetween(fromSeconds, untilSeconds, stepSeconds);
  const unit = stepSeconds % 60 === 0 ? "min" : "s";
  return (
    <XAxis
      dataKey="atSeconds"
      type="number"
      domain={[fromSeconds, untilSeconds]}
      // Recharts then draws the axis without data.
      allowDataOverflow
      ticks={ticks}
      tickFormatter={(at: number) =>
        `${axisTimeText(at, stepSeconds)}${at === ticks.at(-1) ? ` ${unit}` : ""}`
      }
      tick={axisText}
      tickLine={false}
      axisLine={false}
    />
  );
}

interface ValueAxisProps {
  ticks: readonly number[];
  domain: readonly [number, number];
  text: (value: number) => string;
  isLogarithmic?: boolean;
}

/** Axis with labels of up to 36 px. A logarithmic axis cuts off values outside of its domain. */
export function ValueAxis({ ticks, domain, text, isLogarithmic = false }: ValueAxisProps) {
  return (
    <YAxis
      width={36}
      scale={isLogarithmic ? "log" : "linear"}
      allowDataOverflow={isLogarithmic}
      domain={[...domain]}
      ticks={[...ticks]}
      tickFormatter={text}
      tick={axisText}
      tickLine={false}
      axisLine={false}
    />
  );
}
