import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonLook } from "./button-look.ts";
import { classes } from "./classes.ts";
import { Kbd } from "./kbd.tsx";
import { Spinner } from "./spinner.tsx";
import { Tooltip } from "./tooltip.tsx";

export interface ButtonProps extends ComponentProps<"button"> {
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
