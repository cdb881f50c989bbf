import { NumberField } from "./number-field.tsx";
import type { Bounds } from "./run/run.ts";
import { Slider } from "./slider.tsx";

export interface ParameterProps {
  label: string;
  value: number;
  bounds: Bounds;
  stops: readonly number[];
  unit: string;
  text: (value: number) => string;
  onChange: (value: number) => void;
}

/** A number, by a slider or exactly. */
export function Parameter({ label, value, bounds, stops, unit, text, onChange }: ParameterProps) {
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden="true" className="w-14 shrink-0 text-cell text-text-2">
        {label}
      </span>
      <Slider label={label} value={value} stops={stops} text={text} onChange={onChange} />
      <NumberField
        label={`${label}, exactly`}
        value={value}
        bounds={bounds}
        unit={unit}
        onChange={onChange}
        className="w-20 shrink-0 max-sm:w-24"
      />
    </div>
  );
}
