"use client";

import { useId, useState } from "react";
import { classes } from "@/components/ui/classes.ts";
import { inputLook } from "@/components/ui/input.tsx";
import { decimalText } from "@/components/ui/value-text.ts";
import { type Bounds, isWithin } from "./run/run.ts";
import { nearestStop } from "./run/stops.ts";

interface ParameterProps extends SliderProps {
  bounds: Bounds;
  unit: string;
}

/** A number, by a slider or exactly. */
export function Parameter({ bounds, unit, ...slider }: ParameterProps) {
  const { label, value, onChange } = slider;
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden="true" className="w-14 shrink-0 text-cell text-text-2">
        {label}
      </span>
      <Slider {...slider} />
      <NumberField
        label={`${label}, exactly`}
        {...{ value, bounds, unit, onChange }}
        className="w-20 shrink-0 max-sm:w-24"
      />
    </div>
  );
}

interface SliderProps {
  label: string;
  value: number;
  stops: readonly number[];
  /** How the value is read out. */
  text: (value: number) => string;
  onChange: (value: number) => void;
}

const thumb =
  "[&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-text [&::-webkit-slider-thumb]:bg-surface [&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-text [&::-moz-range-thumb]:bg-surface";

/** Goes from stop to stop, so that arrow keys pass through round values. */
export function Slider({ label, value, stops, text, onChange }: SliderProps) {
  const index = nearestStop(stops, value);
  // Where the middle of a thumb of 16 px is.
  const filled = `calc(8px + ${index / Math.max(1, stops.length - 1)} * (100% - 16px))`;
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={text(value)}
      min={0}
      max={stops.length - 1}
      step={1}
      value={index}
      onChange={({ target }) => {
        const stop = stops[target.valueAsNumber];
        if (stop !== undefined) onChange(stop);
      }}
      style={{ backgroundImage: `linear-gradient(to right, var(--text) ${filled}, var(--track) ${filled})` }}
      className={classes(
        "h-6 w-full min-w-0 cursor-pointer appearance-none rounded-control bg-size-[100%_4px] bg-center bg-no-repeat max-sm:h-11",
        thumb,
      )}
    />
  );
}

interface NumberFieldProps {
  label: string;
  value: number;
  bounds: Bounds;
  unit: string;
  onChange: (value: number) => void;
  className?: string | undefined;
}

/** Takes effect with every key, as far as it says something that may be; leaving it shows what is in effect. */
export function NumberField(props: NumberFieldProps) {
  const { label, value, bounds, unit, onChange, className } = props;
  const [typed, setTyped] = useState<string>();
  const errorId = useId();
  const isInvalid = typed !== undefined && numberIn(typed, bounds) === undefined;
  const type = (text: string) => {
    setTyped(text);
    const number = numberIn(text, bounds);
    if (number !== undefined) onChange(number);
  };
  return (
    <span className={classes("relative flex items-center", className)}>
      <input
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? errorId : undefined}
        value={typed ?? String(value)}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setTyped(undefined)}
        className={classes(
          inputLook({ isInvalid, isMono: false }),
          "h-7 pl-2 text-right max-sm:h-11",
          unit === "" ? "pr-2" : "pr-6",
        )}
      />
      <span className="pointer-events-none absolute right-2 text-cell text-text-3">{unit}</span>
      {isInvalid && (
        <span
          id={errorId}
          role="alert"
          className="absolute top-full right-0 z-10 mt-1 rounded-control border border-blocked-bd bg-blocked-bg px-2 py-1 text-meta whitespace-nowrap text-blocked"
        >
          {boundsText(bounds)}
        </span>
      )}
    </span>
  );
}

function numberIn(text: string, bounds: Bounds): number | undefined {
  const trimmed = text.trim();
  if (!/^\d+(\.\d+)?$/.test(trimmed)) return undefined;
  return isWithin(Number(trimmed), bounds) ? Number(trimmed) : undefined;
}

function boundsText({ least, most, isWhole }: Bounds): string {
  return `${isWhole ? "a whole number" : "a number"} from ${least} to ${decimalText(most)}`;
}
