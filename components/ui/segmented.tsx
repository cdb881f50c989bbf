"use client";

import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";
import { useField } from "./field.tsx";
import type { Tone } from "./tone.ts";

interface SegmentedOption<V extends string> {
  value: V;
  label: string;
  icon?: ReactNode;
  /** Colour of the option while it is chosen. */
  tone?: Tone | undefined;
}

interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly SegmentedOption<V>[];
  size?: "sm" | "md" | undefined;
  isDisabled?: boolean | undefined;
  className?: string | undefined;
}

const chosen: Readonly<Record<Tone, string>> = {
  plain: "has-checked:bg-picked has-checked:text-picked-text",
  pass: "has-checked:border-pass-bd has-checked:bg-pass-bg has-checked:text-pass",
  throttled: "has-checked:border-throttled-bd has-checked:bg-throttled-bg has-checked:text-throttled",
  blocked: "has-checked:border-blocked-bd has-checked:bg-blocked-bg has-checked:text-blocked",
  safelisted: "has-checked:border-safelisted-bd has-checked:bg-safelisted-bg has-checked:text-safelisted",
  shadow:
    "has-checked:border-dashed has-checked:border-shadow-bd has-checked:bg-shadow-bg has-checked:text-shadow",
};

/** A choice among a few options, side by side. Arrow keys choose. */
export function Segmented<V extends string>(props: SegmentedProps<V>) {
  const { label, value, onChange, options, size = "md", isDisabled = false, className } = props;
  const name = useId();
  const { describedBy } = useField();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      className={classes(
        "inline-flex w-fit max-w-full rounded-segmented border border-border-2 bg-surface p-0.5",
        className,
      )}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={classes(
            "relative inline-flex grow items-center justify-center gap-1.5 rounded-badge border border-transparent text-cell font-medium whitespace-nowrap text-text-2 transition-colors hover:text-text has-disabled:text-text-3 has-focus-visible:focus-edge max-sm:h-11 max-sm:px-2.5",
            size === "sm" ? "h-6 px-2" : "h-6.5 px-2.5",
            chosen[option.tone ?? "plain"],
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            disabled={isDisabled}
            className="absolute inset-0 size-full cursor-pointer appearance-none opacity-0 disabled:cursor-default"
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </div>
  );
}
