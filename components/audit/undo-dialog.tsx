import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type UndoProgress, undoInSteps } from "@/components/console/undo-in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { AfterUndo } from "@/components/console/use-undo.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { ProgressBar } from "@/components/ui/progress-bar.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { type AuditDetail, type AuditRow, auditDetail } from "@/lib/queries/audit.ts";
import { Sentence } from "./feed/sentence.tsx";

interface UndoDialogProps {
  readonly row: AuditRow;
  /** Entries that were chosen; all of them unless given. */
  readonly addresses?: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly onUndone: () => void;
}

/** Fewer entries are undone before a bar would be seen. */
const worthTelling = 2_000;

/** Shows the result of the undo, asks for a reason, and waits for the server. */
export function UndoDialog({ row, addresses, onClose, onUndone }: UndoDialogProps) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const [progress, setProgress] = useState<UndoProgress>();
  const { data } = useQuery({ ...auditDetail(row.n), staleTime: Number.POSITIVE_INFINITY });
  const isMany = addresses === undefined && row.targets > worthTelling;
  const what = addresses
    ? `${counted(addresses.length, "entry", "entries")} of record ${countText(row.n)}`
    : `record ${countText(row.n)}`;
  const undo = async () => {
    if (isMany) setProgress({ done: 0, wanted: row.targets });
    const done = await run(async () => {
      const undone = await undoInSteps({ n: row.n, reason, addresses }, isMany ? setProgress : undefined);
      return undone.ok ? { ok: true, value: undone } : undone;
    });
    if (!done) return;
    const undone = done.value;
    const subject = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
    const verb = addresses && addresses.length > 1 ? "are" : "is";
    toast({
      tone: "plain",
      title: `${subject} ${verb} ${undone.left > 0 ? "partly " : ""}undone`,
      detail: <AfterUndo undone={undone} />,
    });
    onUndone();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={isBusy ? () => {} : onClose}
      title={`Undo ${what}?`}
      description={
        <>
          <Untrusted text={row.actor} max={60} /> <Sentence pieces={row.says} isPlain />
        </>
      }
      confirmLabel={`Undo ${what}`}
      onConfirm={() => void undo()}
      isBusy={isBusy}
      error={failure && <Untrusted text={failure.message} max={1_000} />}
    >
      <div className="flex flex-col gap-3">
        {progress ? (
          <ProgressBar label="Undoing" done={progress.done} of={progress.wanted} />
        ) : (
          <WhatComesBack detail={data} row={row} addresses={addresses} />
        )}
        <Field label="Reason" hint="required; shown in the audit log">
          <Input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}

const mostShown = 4;

interface WhatComesBackProps extends Pick<UndoDialogProps, "row" | "addresses"> {
  readonly detail: AuditDetail | undefined;
}

/** State after the undo, by target. */
function WhatComesBack({ detail, row, addresses }: WhatComesBackProps) {
  if (!detail) return <Skeleton className="h-10 w-full" />;
  const chosen = addresses && new Set(addresses);
  const known = chosen ? detail.changes.filter(({ target }) => chosen.has(target)) : detail.changes;
  const shown = known.slice(0, mostShown);
  const rest = (addresses?.length ?? row.targets) - shown.length;
  return (
    <div className="text-cell text-text-2">
      <p>After the undo:</p>
      <ul className="my-1.5 flex flex-col gap-1">
        {shown.map(({ target, before }) => (
          <li key={target} className="wrap-anywhere">
            <Untrusted text={target} max={80} className="font-mono text-text" />
            {": "}
            <Sentence pieces={before} isPlain />
          </li>
        ))}
        {rest > 0 && <li>{`${shown.length > 0 ? "and " : ""}${counted(rest, "more", "more")}`}</li>}
      </ul>
      <p className="text-text-3">
        {row.bulk && !addresses
          ? "Entries that would have expired by now are not restored. Entries that were changed since then are not undone, and are listed afterwards."
          : "Entries that would have expired by now are not restored. If any of them was changed since then, nothing is undone, and the record of that change is shown."}
      </p>
    </div>
  );
}
