"use client";

import { useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { countText } from "../../../../components/ui/count-text.ts";
import { Dialog } from "../../../../components/ui/dialog.tsx";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { aWeek, type Expiry, ttlOf } from "../composer/expiry.ts";
import { wordsOf } from "../list-words.ts";
import { useTellChange } from "../use-tell-change.tsx";
import { ImportBody } from "./import-body.tsx";
import { type ImportOptions, useImport } from "./use-import.ts";

interface ImportDialogProps {
  readonly list: ListName;
  readonly mayForever: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onWritten: () => void;
}

/** A file of entries: what it would do is shown before any of it is done. */
export function ImportDialog({ list, mayForever, isOpen, onClose, onWritten }: ImportDialogProps) {
  const importing = useImport(list);
  const { state, look, write, reset } = importing;
  const [expiry, setExpiry] = useState<Expiry>(aWeek);
  const [reason, setReason] = useState("");
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const tell = useTellChange();
  const ttl = ttlOf(expiry);
  const optionsOf = (change: Partial<ImportOptions> = {}) => ({
    ...{ ttlMs: ttl.ok ? ttl.value : null, reason, confirmed },
    ...change,
  });
  const isWriting = state.at === "writing";
  const close = () => {
    if (isWriting) return;
    if (state.at === "written") reset();
    onClose();
  };
  const submit = async () => {
    const total = await write(optionsOf());
    tell({
      tone: list === "blocklist" ? "blocked" : "safelisted",
      title: `${countText(total.done)} imported`,
      total,
    });
    onWritten();
  };
  /** Another life or a confirmed range changes what would happen, so it is looked at again. */
  const changeExpiry = (next: Expiry) => {
    setExpiry(next);
    const life = ttlOf(next);
    if (state.at === "seen" && life.ok) void look(optionsOf({ ttlMs: life.value }));
  };
  const confirm = (range: string) => {
    const next = [...confirmed, range];
    setConfirmed(next);
    void look(optionsOf({ confirmed: next }));
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      width={640}
      title={`Import into the ${list}`}
      description="A CSV file, as the export writes it, or one address a line."
      footer={<Foot {...{ list, importing, ttl, submit, close }} />}
    >
      <ImportBody
        {...{ list, importing, expiry, reason, mayForever, setReason, changeExpiry, confirm }}
        options={optionsOf()}
      />
    </Dialog>
  );
}

interface FootProps {
  readonly list: ListName;
  readonly importing: ReturnType<typeof useImport>;
  readonly ttl: ReturnType<typeof ttlOf>;
  readonly submit: () => Promise<void>;
  readonly close: () => void;
}

function Foot({ list, importing: { state, reset }, ttl, submit, close }: FootProps) {
  if (state.at === "written") {
    return (
      <>
        <Button size="lg" variant="ghost" onClick={reset}>
          Import another
        </Button>
        <Button size="lg" variant="primary" onClick={close}>
          Done
        </Button>
      </>
    );
  }
  const count = state.at === "seen" ? state.preview.willWrite.length : 0;
  const isWriting = state.at === "writing";
  return (
    <>
      <Button size="lg" variant="ghost" disabled={isWriting} onClick={close}>
        Cancel
      </Button>
      {state.at === "seen" && (
        <Button size="lg" disabled={isWriting} onClick={reset}>
          Choose another file
        </Button>
      )}
      <Button
        size="lg"
        variant="primary"
        isBusy={isWriting}
        disabled={!isWriting && (count === 0 || !ttl.ok)}
        onClick={() => void submit()}
      >
        {isWriting ? "Importing" : count > 0 ? `${wordsOf[list].verb} ${countText(count)}` : "Import"}
      </Button>
    </>
  );
}
