"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ComponentProps, type ReactNode, useRef } from "react";
import { IconButton } from "./icon-button.tsx";
import { ScrollBody } from "./scroll-body.tsx";

interface ModalProps extends ComponentProps<typeof Radix.Content> {
  isOpen: boolean;
  onClose: () => void;
}

/** Dims the page and keeps the focus inside. Escape closes it. The focus returns to where it was. */
export function Modal({ isOpen, onClose, onOpenAutoFocus, onCloseAutoFocus, ...content }: ModalProps) {
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-[rgb(0_0_0/50%)]" />
        <Radix.Content
          {...content}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            onOpenAutoFocus?.(event);
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event);
            if (event.defaultPrevented) return;
            // Radix knows only an opener within its own root.
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
        />
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface PanelProps extends Pick<ModalProps, "isOpen" | "onClose"> {
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  /** Width in px. Phones use their full width. */
  width?: number | undefined;
}

/** Head, scrolled content and foot of a modal, and its button to close. */
export function Panel({
  title,
  description,
  children,
  footer,
  bodyClassName,
  ...modal
}: Omit<PanelProps, "width"> & Omit<ModalProps, "title"> & { bodyClassName?: string }) {
  return (
    <Modal {...(!description && { "aria-describedby": undefined })} {...modal}>
      <header className="flex flex-col gap-1 py-3.5 pr-12 pl-4">
        <Radix.Title className="text-[15px] leading-5 font-semibold wrap-anywhere">{title}</Radix.Title>
        {description && (
          <Radix.Description className="text-body text-text-2">{description}</Radix.Description>
        )}
      </header>
      {children && <ScrollBody className={bodyClassName}>{children}</ScrollBody>}
      {footer && (
        <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-border px-4 py-3">
          {footer}
        </footer>
      )}
      <Radix.Close asChild>
        <IconButton
          label="Close"
          icon={<X />}
          className="absolute top-2.5 right-2.5 max-sm:top-1 max-sm:right-1"
        />
      </Radix.Close>
    </Modal>
  );
}

interface DialogProps extends PanelProps {
  /** Asks for a decision. A click beside the dialog does not close it. */
  isAlert?: boolean | undefined;
}

export function Dialog({ width = 480, isAlert = false, ...panel }: DialogProps) {
  return (
    <Panel
      {...panel}
      role={isAlert ? "alertdialog" : "dialog"}
      {...(isAlert && { onPointerDownOutside: (event) => event.preventDefault() })}
      style={{ maxWidth: width }}
      className="fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 animate-appear flex-col rounded-bar bg-surface shadow-e2"
    />
  );
}
