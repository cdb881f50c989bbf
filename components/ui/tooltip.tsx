"use client";

import { Tooltip as Radix } from "radix-ui";
import type { ComponentProps, ReactElement, ReactNode } from "react";

export interface TooltipProps {
  text: ReactNode;
  /** One element that takes the focus. */
  children: ReactElement;
  side?: "top" | "bottom" | "left" | "right" | undefined;
  /** It repeats the name, and is not read out again. */
  isName?: boolean | undefined;
}

/** Waits 300 ms once; then tooltips follow the pointer at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={300} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}

/** What other triggers (of a menu, of a dialog) hand down passes through to the element. */
export function Tooltip({
  text,
  children,
  side = "top",
  isName = false,
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
          className="z-70 max-w-72 animate-appear rounded-control border border-border-2 bg-overlay px-2 py-1 text-meta text-text shadow-e1"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
