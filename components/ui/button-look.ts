import { classes } from "./classes.ts";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const base =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border text-cell font-medium whitespace-nowrap transition-colors select-none disabled:opacity-50 aria-disabled:opacity-50";

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary:
    "outline-offset-1 border-inv bg-inv font-semibold text-inv-text not-disabled:not-aria-disabled:hover:opacity-90",
  secondary: "border-border-2 bg-surface text-text not-disabled:not-aria-disabled:hover:bg-raised",
  ghost:
    "border-transparent text-text-2 not-disabled:not-aria-disabled:hover:bg-raised not-disabled:not-aria-disabled:hover:text-text",
  danger:
    "border-blocked-bd bg-blocked-bg text-blocked not-disabled:not-aria-disabled:hover:border-blocked-graphic not-disabled:not-aria-disabled:hover:bg-blocked-graphic not-disabled:not-aria-disabled:hover:text-on-blocked",
};

/** Heights. On phones, all sizes are 44 px high. */
const heights: Readonly<Record<ButtonSize, string>> = {
  sm: "h-6 max-sm:h-11",
  md: "h-7 max-sm:h-11",
  lg: "h-8 max-sm:h-11",
};

const paddings: Readonly<Record<ButtonSize, string>> = {
  sm: "px-2 max-sm:px-3",
  md: "px-2.5 max-sm:px-3",
  lg: "px-3",
};

const squares: Readonly<Record<ButtonSize, string>> = {
  sm: "w-6 max-sm:w-11",
  md: "w-7 max-sm:w-11",
  lg: "w-8 max-sm:w-11",
};

export function buttonLook(variant: ButtonVariant, size: ButtonSize): string {
  return classes(base, variants[variant], heights[size], paddings[size]);
}

export function iconButtonLook(variant: ButtonVariant, size: ButtonSize): string {
  return classes(base, variants[variant], heights[size], squares[size]);
}
