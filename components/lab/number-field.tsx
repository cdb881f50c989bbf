"use client";

import { useId, useState } from "react";
import { classes } from "@/components/ui/classes.ts";
import { inputLook } from "@/components/ui/input.tsx";
import { decimalText } from "@/components/ui/value-text.ts";
import { type Bounds, isWithin } from "./run/run.ts";

export interface NumberFieldProps {
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
