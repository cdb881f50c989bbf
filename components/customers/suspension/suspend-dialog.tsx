"use client";

import { useState } from "react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { answered } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { aWeek, type Expiry, ttlOf } from "@/components/lists/composer/expiry.ts";
import { ExpiryField } from "@/components/lists/composer/expiry-field.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { suspend } from "@/lib/console/actions/customers.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import type { AddressesRead } from "../addresses/denied-banner.tsx";
import type { DayNow } from "../day/usage-card.tsx";
import { sayLastHour, sayOlderNodes, saySafelisted } from "./suspension-words.ts";

interface SuspendDialogProps {
  now: CustomerNow;
  told: DayNow;
  addresses: AddressesRead;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Suspends a customer. Shows first what that would have changed in the last hour. Mounted while it is open. */
export function SuspendDialog({ now, told, addresses, onClose, onDone }: SuspendDialogProps) {
  const { id, mode } = now;
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [expiry, setExpiry] = useState<Expiry>({ ...aWeek, preset: "never" });
  const [isTried, setIsTried] = useState(false);
  const { run, isBusy, failure } = useMutate();
  const ttl = ttlOf(expiry, true);
  const problem = reason.trim() === "" ? "Enter a reason. It is shown in the audit log." : undefined;
  const confirm = async () => {
    setIsTried(true);
    if (problem !== undefined || !ttl.ok) return;
    const done = await run(async () => {
      const result = await answered(() => suspend({ id, expiresInMs: ttl.value, reason }));
      await onDone().catch(() => undefined);
      return result;
    });
    if (!done) return;
    const title = `Customer ${id} is suspended`;
    toast({ tone: "blocked", title, detail: <ChangeProgress change={done.value.change} /> });
    onClose();
  };
  const effects = [
    sayLastHour(told.read.error ? undefined : told.read.data),
    saySafelisted(addresses.error ? undefined : addresses.data),
    sayOlderNodes(now),
    mode === "enforce" ? undefined : `The mode is ${mode}: no request is denied until it is enforce again.`,
  ].filter((text) => text !== undefined);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Suspend customer ${id}`}
      description="Every signed-in request of the customer gets 403, on all nodes within a second. Tier and limits stay. You can undo it."
      confirmLabel="Suspend"
      onConfirm={() => void confirm()}
      isDanger
      isBusy={isBusy}
      error={isTried ? (problem ?? failure?.message) : failure?.message}
    >
      <div className="flex flex-col gap-4">
        <ExpiryField expiry={expiry} mayForever onChange={setExpiry} />
        <Field label="Reason" hint="required">
          <Input value={reason} aria-required onChange={({ target }) => setReason(target.value)} />
        </Field>
        <section
          aria-label="Preview"
          className="flex flex-col gap-1.5 rounded-control border border-border bg-sunken p-3 text-cell"
        >
          {effects.map((text) => (
            <p key={text}>
              <Untrusted text={text} max={400} />
            </p>
          ))}
        </section>
      </div>
    </ConfirmDialog>
  );
}
