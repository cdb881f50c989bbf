"use client";

import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./dialog-actions.tsx";

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Effect of confirming. */
  description?: ReactNode;
  children?: ReactNode;
  /** Names the outcome: "Remove 3 entries". */
  confirmLabel: string;
  onConfirm: () => void;
  isDanger?: boolean | undefined;
  isBusy?: boolean | undefined;
  /** True while required input is missing. */
  isDisabled?: boolean | undefined;
  /** Why it failed. */
  error?: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, description, children, confirmLabel, onConfirm, error } = props;
  const { isDanger = false, isBusy = false, isDisabled = false } = props;
  const footer = (
    <>
      {error && (
        <p role="alert" className="mr-auto min-w-0 flex-1 text-cell text-blocked">
          {error}
        </p>
      )}
      <DialogActions
        onCancel={onClose}
        variant={isDanger ? "danger" : "primary"}
        isBusy={isBusy}
        disabled={isDisabled}
        onClick={onConfirm}
      >
        {confirmLabel}
      </DialogActions>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={description} footer={footer} isAlert>
      {children}
    </Dialog>
  );
}
