"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { makeRequest } from "@/lib/console/actions/requests.ts";
import { alarms, type RequestRow } from "@/lib/queries/alarms.ts";
import { FormDialog } from "./form-dialog.tsx";
import { useMutate } from "./use-mutate.ts";

const hourMs = 3_600_000;
const lives = [
  { value: String(hourMs), label: "1 h" },
  { value: String(24 * hourMs), label: "24 h" },
  { value: String(168 * hourMs), label: "1 week" },
] as const;
type Life = (typeof lives)[number]["value"];

interface AskDialogProps {
  readonly kind?: RequestRow["kind"] | undefined;
  readonly target?: string | undefined;
  readonly onClose: () => void;
}

/** A request to staff. It reaches them as an alarm and on the Alarms page. */
export function AskDialog({ kind: first = "block", target: about = "", onClose }: AskDialogProps) {
  const [kind, setKind] = useState(first);
  const [target, setTarget] = useState(about);
  const [life, setLife] = useState<Life>(lives[1].value);
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const client = useQueryClient();
  const toast = useToast();
  const submit = async () => {
    const ttlMs = kind === "block" ? Number(life) : null;
    if (!(await run(() => makeRequest({ kind, target, ttlMs, reason })))) return;
    toast({
      tone: "plain",
      title: "Your request was sent to staff",
      detail: "The Alarms page shows their answer.",
    });
    onClose();
    await client.invalidateQueries({ queryKey: alarms().queryKey });
  };
  return (
    <FormDialog
      title="Ask staff"
      description="Nothing changes until one of them confirms it. The audit log names both of you."
      submitLabel="Send request"
      onSubmit={submit}
      isReady={target.trim() !== "" && reason.trim() !== ""}
      {...{ isBusy, failure, onClose }}
    >
      <Segmented
        label="Request"
        value={kind}
        onChange={setKind}
        options={[
          { value: "block", label: "Block" },
          { value: "unblock", label: "Unblock" },
          { value: "change", label: "Something else" },
        ]}
      />
      <Field
        label={kind === "change" ? "About" : "Address or range"}
        hint={kind === "change" ? "a customer, an entry, a rule" : undefined}
        error={failure?.fields.target}
      >
        <Input
          isMono={kind !== "change"}
          value={target}
          maxLength={200}
          onChange={(event) => setTarget(event.target.value)}
        />
      </Field>
      {kind === "block" && <Segmented label="For" value={life} onChange={setLife} options={lives} />}
      <Field label="Reason" error={failure?.fields.reason}>
        <Textarea
          rows={3}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
