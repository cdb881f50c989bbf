"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useUndo } from "@/components/console/use-undo.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { DialogActions } from "@/components/ui/dialog-actions.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { setRetention } from "@/lib/console/actions/denials.ts";
import { type DenialRetention, denialRetention } from "@/lib/queries/denials.ts";
import { Refusal } from "./users/refusal.tsx";

const everyMs = 30_000;

/** How long the log of denied requests is kept. */
export function RetentionCard({ mayChange, whoMay }: { mayChange: boolean; whoMay: string }) {
  const read = useQuery({ ...denialRetention(), refetchInterval: everyMs });
  const [asked, setAsked] = useState<DenialRetention>();
  return (
    <Card
      title={<span id="denial-log">Denial log</span>}
      actions={
        mayChange &&
        read.data && <Button onClick={() => setAsked(read.data)}>Change how long it is kept</Button>
      }
    >
      <ReadState
        read={read}
        name="the setting of the denial log"
        skeleton={<RowsSkeleton rows={1} columns={[3]} />}
        isCompact
      >
        {({ days }) => (
          <p className="text-body">
            Denied requests are kept for {daysText(days)}, at most 1,000 of each hour.
          </p>
        )}
      </ReadState>
      {!mayChange && <p className="pt-2 text-cell text-text-3">To change this, ask an {whoMay}.</p>}
      {asked && <RetentionDialog before={asked} onClose={() => setAsked(undefined)} />}
    </Card>
  );
}

const formId = "denial-retention";

function RetentionDialog({ before, onClose }: { before: DenialRetention; onClose: () => void }) {
  const [text, setText] = useState(String(before.days));
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const tell = useTellRetention();
  const days = Number(text);
  const isGood = /^\d+$/.test(text) && days >= 1 && days <= before.most;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isGood) return;
    const done = await run(() => setRetention({ days, reason }));
    if (!done) return;
    onClose();
    await tell(days, done.value.record);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="How long is the denial log kept?"
      description="An hour with 1,000 denials takes about 0.3 MB of Redis. A shorter time also deletes older hours."
      footer={
        <DialogActions
          onCancel={onClose}
          type="submit"
          form={formId}
          isBusy={isBusy}
          disabled={!isGood || days === before.days}
        >
          {isGood ? `Keep for ${daysText(days)}` : "Save"}
        </DialogActions>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <Field label="Days" hint={`1 to ${before.most}`} error={failure?.fields.days}>
          <Input
            inputMode="numeric"
            maxLength={2}
            value={text}
            onChange={({ target }) => setText(target.value.trim())}
          />
        </Field>
        <Field label="Reason" hint="shown in the audit log" error={failure?.fields.reason}>
          <Input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
        </Field>
        <Refusal failure={failure} />
      </form>
    </Dialog>
  );
}

/** Reports the change, and offers to undo it. */
function useTellRetention(): (days: number, record: number | null) => Promise<void> {
  const toast = useToast();
  const takeBack = useUndo();
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: denialRetention().queryKey });
  const undo = async (n: number) => {
    await takeBack({ n, reason: "Undone at once" });
    await refresh();
  };
  return (days, record) => {
    toast({
      tone: "plain",
      title: `The denial log is kept for ${daysText(days)}`,
      undo: record === null ? undefined : { label: "Undo", run: () => void undo(record) },
    });
    return refresh();
  };
}

const daysText = (days: number) => (days === 1 ? "1 day" : `${days} days`);
