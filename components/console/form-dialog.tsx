"use client";

import { type ReactNode, useId } from "react";
import { Dialog, type PanelProps } from "@/components/ui/dialog.tsx";
import { DialogActions } from "@/components/ui/dialog-actions.tsx";
import type { Failure } from "@/lib/console/failure.ts";

interface FormDialogProps extends Pick<PanelProps, "title" | "description" | "onClose"> {
  /** Names the outcome: "Add feed". */
  submitLabel: ReactNode;
  onSubmit: () => unknown;
  isBusy: boolean;
  /** False while required input is missing. */
  isReady?: boolean;
  failure: Failure | undefined;
  /** Whether a field shows the failure. */
  isShown?: (field: string) => boolean;
  /** Beside the form on wide screens, below it on others. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A dialog with one form. Its foot shows why it failed, unless a field does. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, onClose, submitLabel, onSubmit, isBusy, isReady = true, failure } = props;
  const { isShown = () => true, aside, children } = props;
  const id = useId();
  const form = (
    <form
      id={id}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
      className="flex min-w-0 flex-col gap-3"
    >
      {children}
    </form>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width={aside ? 880 : undefined}
      title={title}
      description={description}
      footer={
        <>
          {failure && !Object.keys(failure.fields).some(isShown) && (
            <p role="alert" className="mr-auto min-w-0 flex-1 text-cell wrap-anywhere text-blocked">
              {failure.message}
            </p>
          )}
          <DialogActions onCancel={onClose} type="submit" form={id} isBusy={isBusy} disabled={!isReady}>
            {submitLabel}
          </DialogActions>
        </>
      }
    >
      {aside ? (
        <div className="grid grid-cols-1 gap-5 md:grid-cols-[22rem_minmax(0,1fr)]">
          {form}
          {aside}
        </div>
      ) : (
        form
      )}
    </Dialog>
  );
}
