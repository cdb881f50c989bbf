"use client";

import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";
import { useField } from "./field.tsx";

interface InputProps extends ComponentProps<"input"> {
  icon?: ReactNode;
  /** Shown at the end of the field: "s", "per 5 min". */
  unit?: ReactNode;
  isMono?: boolean | undefined;
  isInvalid?: boolean | undefined;
}

export function Input({ icon, unit, isMono = false, isInvalid, className, ...rest }: InputProps) {
  const field = useField();
  const isWrong = isInvalid ?? field.isInvalid ?? false;
  return (
    <span className={classes("relative flex min-w-0 items-center", className)}>
      {icon && <span className="pointer-events-none absolute left-2.5 text-text-3">{icon}</span>}
      <input
        id={field.id}
        aria-describedby={field.describedBy}
        aria-invalid={isWrong || undefined}
        autoComplete="off"
        {...rest}
        className={classes(
          inputLook({ isInvalid: isWrong, isMono }),
          "h-8 max-sm:h-11",
          icon ? "pl-8" : "pl-2.5",
          unit ? "pr-14" : "pr-2.5",
        )}
      />
      {unit && <span className="pointer-events-none absolute right-2.5 text-cell text-text-3">{unit}</span>}
    </span>
  );
}

/** Look of text fields. Text is 16 px on phones, because iOS zooms into smaller text. */
export function inputLook({ isInvalid, isMono }: { isInvalid: boolean; isMono: boolean }): string {
  return classes(
    "w-full min-w-0 rounded-control border bg-field text-cell text-text transition-colors disabled:opacity-60 max-sm:text-[16px]",
    isInvalid ? "border-blocked-graphic" : "border-control",
    isMono && "font-mono",
  );
}
