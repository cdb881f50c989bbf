"use client";

import { Tooltip as Radix } from "radix-ui";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { classes } from "./classes.ts";

export interface TooltipProps {
  text: ReactNode;
  /** One focusable element. */
  children: ReactElement;
  side?: "top" | "bottom" | "left" | "right" | undefined;
  /** The text repeats the accessible name, so screen readers skip it. */
  isName?: boolean | undefined;
  /** Classes of the box, for example to hide it. */
  className?: string | undefined;
}

/** The first tooltip waits 300 ms. The next ones open immediately. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={300} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}

/** Props of other triggers, such as a menu's or a dialog's, are passed to the element. */
export function Tooltip({
  text,
  children,
  side = "top",
  isName = false,
  className,
  ...handedDown
}: TooltipProps & Omit<ComponentProps<typeof Radix.Trigger>, keyof TooltipProps>) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild {...handedDown} {...(isName && { "aria-describedby": undefined })}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={5}
          collisionPadding={8}
          className={classes(
            "z-70 max-w-72 animate-appear rounded-control border border-border-2 bg-overlay px-2 py-1 text-meta text-text shadow-e1",
            className,
          )}
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
