"use client";

import type { ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonLook } from "./button-look.ts";
import { classes } from "./classes.ts";
import { Kbd } from "./kbd.tsx";
import { Link, type LinkProps } from "./link.tsx";

export interface LinkButtonProps extends LinkProps {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  kbd?: string | undefined;
}

export function LinkButton(props: LinkButtonProps) {
  const { variant = "secondary", size = "md", icon, kbd, className, children, ...rest } = props;
  return (
    <Link {...rest} className={classes(buttonLook(variant, size), className)}>
      {icon}
      {children}
      {kbd && <Kbd>{kbd}</Kbd>}
    </Link>
  );
}
