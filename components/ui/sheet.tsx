"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { DialogFoot, DialogHead } from "./dialog.tsx";
import { IconButton } from "./icon-button.tsx";
import { ScrollBody } from "./scroll-body.tsx";

export interface SheetProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  side?: "right" | "left" | "bottom" | undefined;
  /** Width of a side sheet, in px. */
  width?: number | undefined;
}

const places = {
  right: "inset-y-0 right-0 w-full border-l",
  left: "inset-y-0 left-0 w-full border-r",
  bottom: "inset-x-0 bottom-0 max-h-[85dvh] w-full rounded-t-bar border-t",
};

/** A dialog at the edge of the window, for long content: history, a menu on phones. */
export function Sheet(props: SheetProps) {
  const { isOpen, onClose, title, description, children, footer, side = "right", width = 420 } = props;
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-[rgb(0_0_0/50%)]" />
        <Radix.Content
          {...(!description && { "aria-describedby": undefined })}
          {...(side !== "bottom" && { style: { maxWidth: `min(${width}px, 100vw - 32px)` } })}
          className={classes(
            "fixed z-50 flex animate-appear flex-col border-border-2 bg-surface shadow-e2",
            places[side],
          )}
        >
          <DialogHead title={title} description={description} />
          <ScrollBody className="flex-1">{children}</ScrollBody>
          {footer && <DialogFoot>{footer}</DialogFoot>}
          <Radix.Close asChild>
            <IconButton
              label="Close"
              icon={<X />}
              className="absolute top-2.5 right-2.5 max-sm:top-1 max-sm:right-1"
            />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
