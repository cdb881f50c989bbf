"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../../../components/ui/confirm-dialog.tsx";
import { Field } from "../../../../components/ui/field.tsx";
import { Input } from "../../../../components/ui/input.tsx";
import { useToast } from "../../../../components/ui/toast.tsx";
import { neverBlock, type StoredRange } from "../../../../lib/queries/never-block.ts";
import { unprotect } from "../../../_actions/never-block.ts";
import { RangeEffectText } from "./range-effect.tsx";
import { useAction } from "./use-action.ts";

interface UnprotectDialogProps {
  range: StoredRange;
  onClose: () => void;
  onChanged: (change: number | null) => void;
}

export function UnprotectDialog({ range: { range }, onClose, onChanged }: UnprotectDialogProps) {
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useAction(unprotect);
  const toast = useToast();
  const client = useQueryClient();
  const confirm = async () => {
    const done = await run({ range, reason });
    if (!done) return;
    onChanged(done.value.change);
    await client.invalidateQueries({ queryKey: neverBlock().queryKey });
    toast({ tone: "plain", title: `${range} may be blocked again` });
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Stop protecting ${range}?`}
      description="Entries that touch it are obeyed again, at once and on every node."
      confirmLabel={`Stop protecting ${range}`}
      onConfirm={confirm}
      isDanger
      isBusy={isBusy}
      isDisabled={reason.trim() === ""}
      error={failure?.message}
    >
      <div className="flex flex-col gap-3">
        <RangeEffectText range={range} will="bite again" />
        <Field label="Reason" hint="needed; shown in the audit log">
          <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
