"use client";

import { DoorOpen, X } from "lucide-react";
import { useState } from "react";
import { useKey } from "@/components/console/use-key.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { EdgeReply } from "@/lib/queries/edge.ts";
import { sayClients, sayLettingIn } from "./edge-words.ts";
import type { Chosen } from "./limited-card.tsx";
import type { LettingIn } from "./use-let-in.tsx";

interface LetInBarProps {
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
  lettingIn: LettingIn;
  edge: EdgeReply;
}

/** Floats over the rows, which stay where they are. */
export function LetInBar(props: LetInBarProps) {
  const { chosen, choose } = props;
  const [isAsking, setIsAsking] = useState(false);
  const clear = () => choose(new Map());
  useKey("clearSelection", clear);
  if (chosen.size === 0) return null;
  return (
    <>
      <section
        aria-label="Selection"
        className="fixed right-0 bottom-5 z-30 mx-auto flex w-fit max-w-[calc(100vw-16px)] animate-rise items-center justify-center gap-2 rounded-bar bg-overlay px-3.5 py-2.5 shadow-e2 max-sm:bottom-18 left-(--sidebar)"
      >
        <span role="status" className="text-body font-semibold">{`${countText(chosen.size)} selected`}</span>
        <Button variant="primary" size="lg" icon={<DoorOpen />} onClick={() => setIsAsking(true)}>
          Let in
        </Button>
        <IconButton label="Clear selection" size="lg" icon={<X />} onClick={clear} />
      </section>
      {isAsking && <LetInDialog {...props} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function LetInDialog({ chosen, choose, lettingIn, edge, onClose }: LetInBarProps & { onClose: () => void }) {
  const [reason, setReason] = useState("");
  const confirm = async () => {
    const isDone = await lettingIn.many([...chosen.values()], reason);
    onClose();
    if (isDone) choose(new Map());
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Let in ${sayClients(chosen.size)}?`}
      description={`${sayLettingIn(edge)} A client that exceeds the limit in another minute is denied again.`}
      confirmLabel={`Let in ${countText(chosen.size)}`}
      onConfirm={() => void confirm()}
      isBusy={lettingIn.isBusy}
    >
      <Field label="Reason" hint="shown in the audit log">
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  );
}
