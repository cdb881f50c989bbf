import { XAxis, YAxis } from "recharts";
import { axisTimeText, ticksBetween } from "./lab-text.ts";

export const axisText = { fill: "var(--text-3)", fontSize: 11 };

export interface TimeAxisProps {
  fromSeconds: number;
  untilSeconds: number;
  stepSeconds: number;
}

/** Seconds or minutes; the last tick says which. */
export function TimeAxis({ fromSeconds, untilSeconds, stepSeconds }: TimeAxisProps) {
  const ticks = ticksBetween(fromSeconds, untilSeconds, stepSeconds);
  const unit = stepSeconds % 60 === 0 ? "min" : "s";
  return (
    <XAxis
      dataKey="atSeconds"
      type="number"
      domain={[fromSeconds, untilSeconds]}
      // With it, the axis is there without any data of the chart.
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

export interface ValueAxisProps {
  ticks: readonly number[];
  domain: readonly [number, number];
  text: (value: number) => string;
  isLogarithmic?: boolean;
}

/** Up to 36 px of numbers. What lies outside of a logarithmic one is cut off. */
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
