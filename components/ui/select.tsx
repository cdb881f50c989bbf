"use client";

import { ChevronDown } from "lucide-react";
import type { ChangeEvent } from "react";
import { buttonLook } from "./button.tsx";
import { classes } from "./classes.ts";
import { useField } from "./field.tsx";

export interface SelectOption<V extends string> {
  value: V;
  label: string;
  hint?: string | undefined;
}

interface SelectProps<V extends string> {
  /** Accessible name, unless a Field gives one. */
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  isDisabled?: boolean | undefined;
  className?: string | undefined;
}

/** Native select. globals.css styles it in browsers that support that. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { label, value, onChange, options, isDisabled = false, className } = props;
  const field = useField();
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    const option = options[target.selectedIndex];
    if (option) onChange(option.value);
  };
  return (
    <span className={classes("relative inline-flex min-w-0 max-w-full", className)}>
      <select
        id={field.id}
        aria-label={field.id ? undefined : label}
        aria-describedby={field.describedBy}
        aria-invalid={field.isInvalid || undefined}
        value={value}
        onChange={choose}
        disabled={isDisabled}
        className={classes(
          buttonLook("secondary", "lg"),
          "w-full min-w-0 shrink justify-start border-control pr-8 max-sm:text-[16px]",
        )}
      >
        {options.map(({ value: each, label: words, hint }) => (
          <option key={each} value={each}>
            {hint ? `${words} · ${hint}` : words}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-text-3" />
    </span>
  );
}
