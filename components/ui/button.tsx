import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { classes } from "./classes.ts";
import { Kbd } from "./kbd.tsx";
import { Spinner } from "./spinner.tsx";
import { Tooltip } from "./tooltip.tsx";

interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  /** True while work runs. The button keeps its place and focus, but does nothing. */
  isBusy?: boolean | undefined;
  /** Why the button is disabled. Shown on hover and focus. */
  disabledReason?: string | undefined;
  /** Key that does the same, shown at the end of the label. */
  kbd?: string | undefined;
}

export function Button(props: ButtonProps) {
  const { variant = "secondary", size = "md", icon, isBusy = false, disabledReason, kbd, ...given } = props;
  const { className, children, ...rest } = given;
  const button = (
    <button
      type="button"
      {...rest}
      {...(isBusy && { "aria-busy": true })}
      {...((isBusy || disabledReason) && { "aria-disabled": true, onClick: ignore })}
      className={classes(buttonLook(variant, size), className)}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
      {kbd && <Kbd>{kbd}</Kbd>}
    </button>
  );
  return disabledReason ? <Tooltip text={disabledReason}>{button}</Tooltip> : button;
}

function ignore(event: MouseEvent): void {
  event.preventDefault();
}

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = keyof typeof sizes;

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

/** Height, padding beside a text, and width around an icon. On phones, all sizes are 44 px high. */
const sizes = {
  sm: { height: "h-6 max-sm:h-11", text: "px-2 max-sm:px-3", icon: "w-6 max-sm:w-11" },
  md: { height: "h-7 max-sm:h-11", text: "px-2.5 max-sm:px-3", icon: "w-7 max-sm:w-11" },
  lg: { height: "h-8 max-sm:h-11", text: "px-3", icon: "w-8 max-sm:w-11" },
};

export function buttonLook(
  variant: ButtonVariant,
  size: ButtonSize,
  content: "text" | "icon" = "text",
): string {
  return classes(base, variants[variant], sizes[size].height, sizes[size][content]);
}
