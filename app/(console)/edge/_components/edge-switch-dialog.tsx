"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useStanding } from "../../../../components/shell/status.tsx";
import { ConfirmDialog } from "../../../../components/ui/confirm-dialog.tsx";
import { Field } from "../../../../components/ui/field.tsx";
import { Textarea } from "../../../../components/ui/textarea.tsx";
import { useToast } from "../../../../components/ui/toast.tsx";
import { type EdgeReply, edge as edgeQuery } from "../../../../lib/queries/edge.ts";
import { switchEdge } from "../../../_actions/edge.ts";
import { useAction } from "../../settings/_components/use-action.ts";
import { saySwitching } from "../edge-words.ts";

/** Says what will happen, and asks why. It stays about what was asked, also when somebody else switches meanwhile. */
export function EdgeSwitchDialog({ edge, onClose }: { edge: EdgeReply; onClose: () => void }) {
  const [asked] = useState(edge);
  const [reason, setReason] = useState("");
  const { run, isBusy, failure } = useAction(switchEdge);
  const tell = useTellSwitched();
  const wished = !asked.isOn;
  const { title, effect, verb } = saySwitching({ ...edge, isOn: asked.isOn });
  const confirm = async () => {
    const done = await run({ isOn: wished, reason });
    if (!done) return;
    onClose();
    await tell(wished, done.value.hasChanged);
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
        hint={wished ? "required; goes on record" : "required; shown on every page while it lasts"}
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

function useTellSwitched() {
  const toast = useToast();
  const client = useQueryClient();
  const { ask } = useStanding();
  return async (isOn: boolean, hasChanged: boolean) => {
    const title = hasChanged ? `The edge is switched ${isOn ? "on" : "off"}` : "It was so before";
    const detail = isOn
      ? "Who comes too often is turned away within one sweep, about a second."
      : "Who was turned away is let in within one sweep, about a second.";
    toast({ tone: "plain", title, ...(hasChanged && { detail }) });
    await Promise.all([client.invalidateQueries({ queryKey: edgeQuery().queryKey }), ask()]);
  };
}
