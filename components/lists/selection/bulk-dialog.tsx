import { useState } from "react";
import { forHowLong } from "@/components/console/time-words.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { mostUntyped } from "./selection.ts";

/** Change of all selected entries. */
export type BulkChange =
  | { readonly kind: "remove" }
  | { readonly kind: "extend"; readonly forMs: number | null };

interface BulkDialogProps {
  readonly list: ListName;
  readonly count: number;
  readonly change: BulkChange;
  readonly onClose: () => void;
  readonly onConfirm: (change: BulkChange, reason: string) => void;
}

/** Shows the number of entries and the effect before the change. */
export function BulkDialog({ list, count, change, onClose, onConfirm }: BulkDialogProps) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const isTyped = count <= mostUntyped || typed.replaceAll(/[,.\s]/g, "") === String(count);
  const confirm = () => {
    onClose();
    onConfirm(change, reason);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      isDanger={change.kind === "remove"}
      title={titleOf(list, count, change)}
      description={consequence(list, change)}
      confirmLabel={`${change.kind === "extend" ? "Extend" : "Remove"} ${countText(count)}`}
      isDisabled={!isTyped}
      onConfirm={confirm}
    >
      <div className="flex flex-col gap-3">
        <Field label="Reason" hint="shown in the audit log">
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

function titleOf(list: ListName, count: number, change: BulkChange): string {
  const what = counted(count, "entry", "entries");
  if (change.kind !== "extend") return `Remove ${what} from the ${list}?`;
  return change.forMs === null
    ? `Set ${what} to never expire?`
    : `Extend ${what} ${forHowLong(change.forMs).replace("for", "by")}?`;
}

function consequence(list: ListName, change: BulkChange): string {
  const undo = "You can undo this, also later from the audit log.";
  if (change.kind === "extend") return `Adds this to the remaining time of each entry. ${undo}`;
  return list === "blocklist"
    ? `These clients will no longer get 403. ${undo}`
    : `These clients can be throttled and blocked again. ${undo}`;
}
