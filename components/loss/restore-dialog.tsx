"use client";

import { useState } from "react";
import { ChangeProgress } from "../change-progress.tsx";
import { Button } from "../ui/button.tsx";
import { counted, countText } from "../ui/count-text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Untrusted } from "../ui/untrusted.tsx";
import type { LossActions } from "./answer.ts";
import { type Lost, sayEntries, sayLost, sayRestored } from "./loss-words.ts";
import { type Restoring, useRestore } from "./use-restore.ts";

interface RestoreDialogProps {
  lost: Lost;
  restore: LossActions["restore"];
  /** What was restored may have to be read anew. */
  onDone: () => void;
  onClose: () => void;
}

/** Says what will be written before anything is, and afterwards what was. */
export function RestoreDialog({ lost: current, restore, onDone, onClose }: RestoreDialogProps) {
  // What is missing shrinks while it is restored; the sentence is about what there was.
  const [lost] = useState(current);
  const [reason, setReason] = useState("");
  const { restoring, begin } = useRestore(restore);
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
      title={isOver ? "The lists are back" : "Restore both lists?"}
      description={`${sayLost(lost)}, as the console last knew them.`}
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
              {restoring?.problem ? "Go on" : `Restore ${sayEntries(lost)}`}
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
        <li>{counted(neverBlock, "never-block range")} first, then the safelist, then the blocklist.</li>
      )}
      <li>Each entry ends when it would have ended. What has ended meanwhile stays away.</li>
      <li>What somebody has added since stays as it is, and so does whoever may not be blocked.</li>
      <li>Customers, the policy and users are not in this copy: take them from a backup of Redis.</li>
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls has to be reached by keys.
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
