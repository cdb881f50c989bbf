import { classes } from "@/components/ui/classes.ts";
import { nearestStop } from "./run/stops.ts";

export interface SliderProps {
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
