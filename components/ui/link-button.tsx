"use client";

import type { ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonLook } from "./button.tsx";
import { classes } from "./classes.ts";
import { Link, type LinkProps } from "./link.tsx";

interface LinkButtonProps extends LinkProps {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
}

export function LinkButton(props: LinkButtonProps) {
  const { variant = "secondary", size = "md", icon, className, children, ...rest } = props;
  return (
    <Link {...rest} className={classes(buttonLook(variant, size), className)}>
      {icon}
      {children}
    </Link>
  );
}
