"use client";

import { Popover as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

interface PopoverProps {
  /** Accessible name of the content. */
  label: string;
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "center" | "end" | undefined;
  /** Width in px. */
  width: number;
  /** Default: the popover itself knows. */
  isOpen?: boolean | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
}

export function Popover(props: PopoverProps) {
  const { label, trigger, children, align = "start", width, isOpen, onOpenChange } = props;
  return (
    <Radix.Root {...(isOpen !== undefined && { open: isOpen })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          style={{ width, maxWidth: "calc(100vw - 16px)" }}
          className="z-60 max-h-(--radix-popover-content-available-height) animate-rise overflow-y-auto rounded-card border border-border-2 bg-overlay p-3 shadow-e1"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
