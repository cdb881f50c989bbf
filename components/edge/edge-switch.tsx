"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Power } from "lucide-react";
import { useState } from "react";
import { useStanding } from "@/components/console/status.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { switchEdge } from "@/lib/console/actions/edge.ts";
import { rolesThatMay } from "@/lib/manage/users/roles.ts";
import { type EdgeReply, edge as edgeQuery } from "@/lib/queries/edge.ts";
import { saySwitching } from "./edge-words.ts";

/** Switches limiting at every edge off, and on again. */
export function EdgeSwitchButton({ edge, maySwitch }: { edge: EdgeReply; maySwitch: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant={edge.isOn ? "danger" : "primary"}
        icon={<Power />}
        disabledReason={maySwitch ? undefined : `Only ${rolesThatMay("edge")} may switch the edge.`}
        onClick={() => setIsOpen(true)}
      >
        {edge.isOn ? "Switch off" : "Switch on"}
      </Button>
      {isOpen && <EdgeSwitchDialog edge={edge} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Shows the effect and asks for a reason. The question stays the same if another user switches while the dialog is open. */
function EdgeSwitchDialog({ edge, onClose }: { edge: EdgeReply; onClose: () => void }) {
  const [asked] = useState(edge);
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const { ask } = useStanding();
  const wished = !asked.isOn;
  const { title, effect, verb } = saySwitching({ ...edge, isOn: asked.isOn });
  const confirm = async () => {
    const done = await run(() => switchEdge({ isOn: wished, reason }));
    if (!done) return;
    onClose();
    toast({ tone: "plain", ...saySwitched(wished, done.value.hasChanged) });
    await Promise.all([client.invalidateQueries({ queryKey: edgeQuery().queryKey }), ask()]);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={title}
      description={effect}
      confirmLabel={verb}
      onConfirm={() => void confirm()}
      isDanger={!wished}
      isBusy={isBusy}
      isDisabled={reason.trim() === ""}
      error={failure?.message}
    >
      <Field
        label="Reason"
        hint={
          wished ? "required; shown in the audit log" : "required; shown on every page while the edge is off"
        }
      >
        <Textarea
          rows={3}
          maxLength={500}
          required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </ConfirmDialog>
  );
}

function saySwitched(isOn: boolean, hasChanged: boolean) {
  if (!hasChanged) return { title: "The edge was in this state already" };
  return {
    title: `The edge is switched ${isOn ? "on" : "off"}`,
    detail: isOn
      ? "Each edge denies clients over the limit within about 1 s."
      : "Each edge lets denied clients in within about 1 s.",
  };
}
