import type { ComponentProps, ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonLook } from "./button.tsx";
import { classes } from "./classes.ts";
import { Tooltip, type TooltipProps } from "./tooltip.tsx";

interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "children"> {
  label: string;
  icon: ReactNode;
  size?: ButtonSize | undefined;
  variant?: ButtonVariant | undefined;
  /** Side of the tooltip. */
  side?: TooltipProps["side"];
}

/** The label is the accessible name and the tooltip. */
export function IconButton({
  label,
  icon,
  size = "md",
  variant = "ghost",
  side,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} side={side} isName>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classes(buttonLook(variant, size, "icon"), className)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
