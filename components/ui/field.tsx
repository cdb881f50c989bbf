"use client";

import { createContext, type ReactNode, use, useId } from "react";
import { classes } from "./classes.ts";

interface FieldWiring {
  readonly id?: string;
  readonly labelId?: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
}

const FieldContext = createContext<FieldWiring>({});

/** Ids that connect a control to the label, hint and error of its Field. Empty outside of a Field. */
export const useField = (): FieldWiring => use(FieldContext);

interface FieldProps {
  label: ReactNode;
  /** For a cell of a table, whose row and column say it. */
  isLabelHidden?: boolean | undefined;
  /** Shown beside the label. */
  hint?: ReactNode;
  error?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

export function Field({ label, isLabelHidden = false, hint, error, children, className }: FieldProps) {
  const id = useId();
  const [labelId, hintId, errorId] = [`${id}-label`, `${id}-hint`, `${id}-error`];
  const describedBy = classes(hint ? hintId : undefined, error ? errorId : undefined) || undefined;
  return (
    <div className={classes("flex min-w-0 flex-col gap-1.5", className)}>
      <div className={isLabelHidden ? "sr-only" : "flex flex-wrap items-baseline gap-x-2 text-cell"}>
        <label id={labelId} htmlFor={id} className="text-text-2">
          {label}
        </label>
        {hint && (
          <span id={hintId} className="text-text-3">
            {hint}
          </span>
        )}
      </div>
      <FieldContext value={{ id, labelId, describedBy, isInvalid: Boolean(error) }}>{children}</FieldContext>
      {error && (
        <p id={errorId} role="alert" className="text-cell text-blocked">
          {error}
        </p>
      )}
    </div>
  );
}
