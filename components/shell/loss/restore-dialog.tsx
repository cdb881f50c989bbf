"use client";

import { useState } from "react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { restoreLists } from "@/lib/console/actions/lists.ts";
import { added, type Lost, type Restoring, sayEntries, sayLost, sayRestored } from "./loss-words.ts";

interface RestoreDialogProps {
  lost: Lost;
  /** Called after restoring, to read the lists again. */
  onDone: () => void;
  onClose: () => void;
}

/** Shows what will be written, and then what was. */
export function RestoreDialog({ lost: current, onDone, onClose }: RestoreDialogProps) {
  // The loss shrinks during the restore. The text keeps the original numbers.
  const [lost] = useState(current);
  const [reason, setReason] = useState("");
  const { restoring, begin } = useRestore();
  const isOver = restoring !== undefined && !restoring.isUnderWay && !restoring.problem;
  const confirm = async () => {
    await begin(reason);
    onDone();
  };
  return (
    <Dialog
      isOpen
      isAlert
      onClose={restoring?.isUnderWay ? () => {} : onClose}
      title={isOver ? "The lists are restored" : "Restore both lists?"}
      description={`${sayLost(lost)}, as last known to the console.`}
      footer={
        isOver ? (
          <Button variant="primary" size="lg" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button variant="ghost" size="lg" disabled={restoring?.isUnderWay} onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" size="lg" isBusy={restoring?.isUnderWay} onClick={confirm}>
              {restoring?.problem ? "Retry" : `Restore ${sayEntries(lost)}`}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {restoring ? <Outcome restoring={restoring} /> : <WhatWillHappen lost={lost} />}
        {!isOver && (
          <Field label="Reason" hint="shown in the audit log">
            <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
          </Field>
        )}
      </div>
    </Dialog>
  );
}

function WhatWillHappen({ lost: { neverBlock } }: { lost: Lost }) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-4 text-cell text-text-2">
      {neverBlock > 0 && (
        <li>{counted(neverBlock, "protected range")} first, then the safelist, then the blocklist.</li>
      )}
      <li>Each entry keeps its expiry. Entries that have expired since are not restored.</li>
      <li>Entries added since stay as they are. Protected addresses are not blocked.</li>
      <li>Customers, the policy and users are not in this copy. Restore them from a backup of Redis.</li>
    </ul>
  );
}

function Outcome({ restoring }: { restoring: Restoring }) {
  const { isUnderWay, problem, done, left, skipped, skippedCount, change } = restoring;
  return (
    <div role="status" className="flex flex-col gap-2 text-cell">
      {isUnderWay ? (
        <Spinner label={left > 0 ? `${countText(done)} restored, ${countText(left)} to go` : "Restoring"} />
      ) : (
        <p className="text-body">{sayRestored({ done, skippedCount })}</p>
      )}
      {!isUnderWay && skipped.length > 0 && <Skipped skipped={skipped} />}
      {!isUnderWay && <ChangeProgress change={change} />}
      {problem && (
        <p role="alert" className="text-blocked">
          {problem}
        </p>
      )}
    </div>
  );
}

function Skipped({ skipped }: Pick<Restoring, "skipped">) {
  return (
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling with the keyboard requires focus.
      tabIndex={0}
      className="flex max-h-40 flex-col gap-1 overflow-y-auto rounded-control bg-sunken p-2 text-text-2"
    >
      {skipped.map(({ address, message }) => (
        <li key={address}>
          <Untrusted text={message} max={200} />
        </li>
      ))}
    </ul>
  );
}

const beginning: Restoring = {
  change: null,
  done: 0,
  skipped: [],
  skippedCount: 0,
  left: 0,
  isUnderWay: true,
};

/** Repeats the call until all entries are restored, and adds up the results. */
function useRestore() {
  const [restoring, setRestoring] = useState<Restoring>();
  const begin = async (reason: string): Promise<void> => {
    let sum: Restoring = { ...beginning, ...(restoring && { ...restoring, isUnderWay: true }) };
    for (;;) {
      setRestoring(sum);
      const answer = await restoreLists({ reason }).catch(() => undefined);
      if (!answer?.ok)
        return setRestoring({ ...sum, isUnderWay: false, problem: answer?.error.message ?? noAnswer });
      sum = added(sum, answer.value);
      if (sum.left === 0) return setRestoring({ ...sum, isUnderWay: false });
    }
  };
  return { restoring, begin };
}

const noAnswer = "The console did not answer. Retry: entries that are already restored are skipped.";
