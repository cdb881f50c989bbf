import { useState } from "react";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { aWeek, type Expiry, ttlOf } from "../composer/expiry.ts";
import { wordsOf } from "../list-words.ts";
import type { ImportOptions } from "../write-lines.ts";
import { ImportBody } from "./import-body.tsx";
import { useImport } from "./use-import.ts";

interface ImportDialogProps {
  readonly list: ListName;
  readonly mayForever: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Imports a file of entries. Its effect is shown before the write. */
export function ImportDialog({ list, mayForever, isOpen, onClose }: ImportDialogProps) {
  const importing = useImport(list);
  const { state, look, write, reset } = importing;
  const [expiry, setExpiry] = useState<Expiry>(aWeek);
  const [reason, setReason] = useState("");
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const tell = useTellChange();
  const ttl = ttlOf(expiry, mayForever);
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
  };
  /** Checks the file again: another duration or a confirmed range changes its effect. */
  const changeExpiry = (next: Expiry) => {
    setExpiry(next);
    const life = ttlOf(next, mayForever);
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
      description="A CSV file in the format of the export, or one address per line."
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
