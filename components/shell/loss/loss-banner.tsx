"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { DatabaseZap } from "lucide-react";
import { useState } from "react";
import { useStanding } from "@/components/console/status.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { clockText } from "@/components/ui/value-text.ts";
import { dismissLoss } from "@/lib/console/actions/lists.ts";
import { may, type Role, rolesThatMay } from "@/lib/manage/users/roles.ts";
import { loss } from "@/lib/queries/entries.ts";
import { type Lost, sayLost } from "./loss-words.ts";
import { RestoreDialog } from "./restore-dialog.tsx";

const everyMs = 5_000;

/** Shown on every page while Redis lacks lists that the console still holds. */
export function LostLists() {
  const { known } = useStanding();
  return known ? <LossBanner role={known.you.role} /> : null;
}

/** States that Redis came back without the lists, and offers to restore the console's copy. Nothing is restored automatically. */
function LossBanner({ role }: { role: Role }) {
  const mayRestore = may(role, "restore");
  const { data } = useQuery({ ...loss(), refetchInterval: everyMs });
  const client = useQueryClient();
  const [open, setOpen] = useState<{ readonly dialog: "restore" | "dismiss"; readonly lost: Lost }>();
  const lost = data?.loss ?? undefined;
  const close = () => setOpen(undefined);
  const reread = () => void client.invalidateQueries();
  return (
    <>
      {lost && (
        <Banner
          tone="blocked"
          icon={<DatabaseZap />}
          title={`Redis came back empty at ${clockText(Date.parse(lost.at))}. The console still holds ${sayLost(lost)}.`}
          actions={
            mayRestore && (
              <>
                <Button onClick={() => setOpen({ dialog: "dismiss", lost })}>Leave the lists empty</Button>
                <Button variant="primary" onClick={() => setOpen({ dialog: "restore", lost })}>
                  Restore…
                </Button>
              </>
            )
          }
        >
          Until they are restored, these addresses are neither blocked nor safelisted.
          {!mayRestore && ` An ${rolesThatMay("restore")} can restore them.`}
        </Banner>
      )}
      {open?.dialog === "restore" && <RestoreDialog lost={open.lost} onDone={reread} onClose={close} />}
      {open?.dialog === "dismiss" && <DismissDialog lost={open.lost} onDone={reread} onClose={close} />}
    </>
  );
}

function DismissDialog({ lost, onDone, onClose }: { lost: Lost; onDone: () => void; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const confirm = async () => {
    if (!(await run(() => dismissLoss({ reason })))) return;
    onDone();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      isDanger
      onClose={onClose}
      title="Leave the lists empty?"
      description={`The console deletes its copy of ${sayLost(lost)}. You cannot restore them here afterwards.`}
      confirmLabel="Leave the lists empty"
      onConfirm={confirm}
      isBusy={isBusy}
      error={failure?.message}
    >
      <Field label="Reason" hint="shown in the audit log">
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  );
}
