import type { ComponentProps, ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, iconButtonLook } from "./button-look.ts";
import { classes } from "./classes.ts";
import { Tooltip } from "./tooltip.tsx";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  label: string;
  icon: ReactNode;
  size?: ButtonSize | undefined;
  variant?: ButtonVariant | undefined;
}

/** Its label is its name, and its tooltip. */
export function IconButton({
  label,
  icon,
  size = "md",
  variant = "ghost",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} isName>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classes(iconButtonLook(variant, size), className)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
