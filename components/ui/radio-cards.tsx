"use client";

import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";
import { useField } from "./field.tsx";

export interface RadioCardOption<V extends string> {
  value: V;
  title: string;
  hint?: ReactNode;
  children?: ReactNode;
}

interface RadioCardsProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly RadioCardOption<V>[];
  isDisabled?: boolean | undefined;
  className?: string | undefined;
}

/** A choice among a few options, each with a description. Arrow keys choose. */
export function RadioCards<V extends string>(props: RadioCardsProps<V>) {
  const { label, value, onChange, options, isDisabled = false, className } = props;
  const name = useId();
  const { describedBy } = useField();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      className={classes("grid auto-cols-fr gap-3 sm:grid-flow-col", className)}
    >
      {options.map(({ value: each, title, hint, children }) => (
        <label
          key={each}
          className="relative flex min-h-11 flex-col gap-2 rounded-control border border-control bg-surface p-3 transition-colors hover:bg-hover has-checked:border-text has-checked:inset-ring has-checked:inset-ring-text has-disabled:opacity-70 has-focus-visible:focus-edge"
        >
          <input
            type="radio"
            name={name}
            value={each}
            checked={each === value}
            onChange={() => onChange(each)}
            disabled={isDisabled}
            aria-labelledby={`${name}-${each}-title`}
            aria-describedby={`${name}-${each}-rest`}
            className="peer absolute inset-0 size-full cursor-pointer appearance-none opacity-0 disabled:cursor-default"
          />
          <span className="flex w-full items-center gap-2 before:size-3.5 before:shrink-0 before:rounded-full before:border before:border-control peer-checked:before:border-4 peer-checked:before:border-text">
            <span id={`${name}-${each}-title`} className="text-body font-semibold">
              {title}
            </span>
            {hint && <span className="ml-auto text-meta text-text-2">{hint}</span>}
          </span>
          <span
            id={`${name}-${each}-rest`}
            className="flex flex-wrap gap-1.5 text-cell text-text-2 empty:hidden"
          >
            {children}
          </span>
        </label>
      ))}
    </div>
  );
}
