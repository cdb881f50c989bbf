import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { type Tone, tints } from "./tone.ts";

interface BadgeProps {
  tone: Tone;
  icon?: ReactNode;
  /** 26 px high, for page headers. */
  isLarge?: boolean | undefined;
  children: ReactNode;
}

export function Badge({ tone, icon, isLarge = false, children }: BadgeProps) {
  return (
    <span
      className={classes(
        "inline-flex max-w-full shrink-0 items-center gap-1 rounded-badge border font-medium whitespace-nowrap [&_.lucide]:size-3",
        isLarge ? "h-6.5 px-2 text-cell [&_.lucide]:size-3.5" : "h-5 px-1.5 text-meta",
        tints[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}
