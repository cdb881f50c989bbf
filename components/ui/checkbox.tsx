"use client";

import { Check, Minus } from "lucide-react";
import { type ReactNode, useCallback } from "react";
import { classes } from "./classes.ts";

interface CheckboxProps {
  checked: boolean | "indeterminate";
  onChange: (isChecked: boolean) => void;
  label: ReactNode;
  isLabelHidden?: boolean | undefined;
  isDisabled?: boolean | undefined;
}

/** A box of 16 px with a target of 24 px, 44 px on phones. */
export function Checkbox({
  checked,
  onChange,
  label,
  isLabelHidden = false,
  isDisabled = false,
}: CheckboxProps) {
  const isMixed = checked === "indeterminate";
  const mark = useCallback(
    (input: HTMLInputElement | null) => {
      if (input) input.indeterminate = isMixed;
    },
    [isMixed],
  );
  return (
    <label className={classes("inline-flex items-center gap-1.5", isDisabled && "text-text-3")}>
      <span className="relative grid size-6 shrink-0 place-items-center max-sm:size-11">
        <input
          ref={mark}
          type="checkbox"
          checked={checked === true}
          onChange={(event) => onChange(event.target.checked)}
          disabled={isDisabled}
          className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-control disabled:cursor-default"
        />
        <span className="pointer-events-none grid size-4 place-items-center rounded-[4px] border border-control bg-field text-transparent transition-colors peer-checked:border-inv peer-checked:bg-inv peer-checked:text-inv-text peer-indeterminate:border-inv peer-indeterminate:bg-inv peer-indeterminate:text-inv-text peer-disabled:opacity-50">
          {isMixed ? <Minus className="size-3" /> : <Check className="size-3" />}
        </span>
      </span>
      <span className={isLabelHidden ? "sr-only" : "text-cell"}>{label}</span>
    </label>
  );
}
