"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import { ScrollBody } from "./scroll-body.tsx";

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  /** Width in px. Phones use their full width. */
  width?: number | undefined;
  /** Asks for a decision. A click beside the dialog does not close it. */
  isAlert?: boolean | undefined;
}

export function Dialog(props: DialogProps) {
  const { isOpen, onClose, title, description, children, footer, width = 480, isAlert = false } = props;
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-[rgb(0_0_0/50%)]" />
        <Radix.Content
          role={isAlert ? "alertdialog" : "dialog"}
          {...(!description && { "aria-describedby": undefined })}
          {...(isAlert && { onPointerDownOutside: (event) => event.preventDefault() })}
          style={{ maxWidth: width }}
          className="fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 animate-appear flex-col rounded-bar bg-surface shadow-e2"
        >
          <DialogHead title={title} description={description} />
          {children && <ScrollBody>{children}</ScrollBody>}
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

export function DialogHead({ title, description }: { title: ReactNode; description: ReactNode }) {
  return (
    <header className="flex flex-col gap-1 py-3.5 pr-12 pl-4">
      <Radix.Title className="text-[15px] leading-5 font-semibold wrap-anywhere">{title}</Radix.Title>
      {description && <Radix.Description className="text-body text-text-2">{description}</Radix.Description>}
    </header>
  );
}

export function DialogFoot({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <footer
      className={classes(
        "flex flex-wrap items-center justify-end gap-2 border-t border-border px-4 py-3",
        className,
      )}
    >
      {children}
    </footer>
  );
}
