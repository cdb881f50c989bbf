"use client";

import { useState } from "react";
import { ConfirmDialog } from "../../../../components/ui/confirm-dialog.tsx";
import { counted, countText } from "../../../../components/ui/count-text.ts";
import { Field } from "../../../../components/ui/field.tsx";
import { Input } from "../../../../components/ui/input.tsx";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { forHowLong } from "../time-words.ts";

/** More than this is not changed by a click: the number is typed. */
export const mostUntyped = 10_000;

/** What is about to happen to everything that is chosen. */
export type BulkChange =
  | { readonly kind: "remove" }
  | { readonly kind: "extend"; readonly forMs: number | null };

interface BulkDialogProps {
  readonly list: ListName;
  readonly count: number;
  /** Nothing when it is closed. */
  readonly change: BulkChange | undefined;
  readonly onClose: () => void;
  readonly onConfirm: (change: BulkChange, reason: string) => void;
}

/** Says how much would be changed, and what follows, before it is. */
export function BulkDialog({ list, count, change, onClose, onConfirm }: BulkDialogProps) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const isTyped = count <= mostUntyped || typed.replaceAll(/[,.\s]/g, "") === String(count);
  const close = () => {
    setTyped("");
    onClose();
  };
  const confirm = () => {
    close();
    if (change) onConfirm(change, reason);
  };
  return (
    <ConfirmDialog
      isOpen={change !== undefined}
      onClose={close}
      isDanger={change?.kind === "remove"}
      title={titleOf(list, count, change)}
      description={consequence(list, change)}
      confirmLabel={`${change?.kind === "extend" ? "Extend" : "Remove"} ${countText(count)}`}
      isDisabled={!isTyped}
      onConfirm={confirm}
    >
      <div className="flex flex-col gap-3">
        <Field label="Reason" hint="shown in audit">
          <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        </Field>
        {count > mostUntyped && (
          <Field label={`Type ${countText(count)} to confirm`}>
            <Input inputMode="numeric" value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        )}
      </div>
    </ConfirmDialog>
  );
}

function titleOf(list: ListName, count: number, change: BulkChange | undefined): string {
  const what = counted(count, "entry", "entries");
  if (change?.kind !== "extend") return `Remove ${what} from the ${list}?`;
  return change.forMs === null
    ? `Let ${what} never expire?`
    : `Extend ${what} ${forHowLong(change.forMs).replace("for", "by")}?`;
}

function consequence(list: ListName, change: BulkChange | undefined): string {
  const undo = "You can undo this, also later from the audit log.";
  if (change?.kind === "extend") return `Each keeps what is left of its life, and gets this on top. ${undo}`;
  return list === "blocklist"
    ? `Whoever is on them is no longer answered with 403. ${undo}`
    : `Whoever is on them can be throttled and blocked again. ${undo}`;
}
