"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../../../../../components/ui/confirm-dialog.tsx";
import { useToast } from "../../../../../components/ui/toast.tsx";
import { Untrusted } from "../../../../../components/ui/untrusted.tsx";
import { type UserRow, users } from "../../../../../lib/queries/users.ts";
import { remove } from "../../../../_actions/users.ts";
import { useAction } from "../../_components/use-action.ts";
import { sayEndedSessions } from "./user-words.ts";

export function RemoveDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { run, isBusy, failure } = useAction(remove);
  const client = useQueryClient();
  const toast = useToast();
  const confirm = async () => {
    const done = await run({ email: user.email });
    await client.invalidateQueries({ queryKey: users().queryKey });
    if (!done) return;
    toast({ tone: "plain", title: `${user.email} is removed` });
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Remove user"
      description={
        <>
          <Untrusted text={user.email} max={120} /> cannot sign in any more. {sayEndedSessions(user)} What
          they have done stays in force and on record.
          {user.by === "sso" && " The provider can let them in again: take them out there first."}
        </>
      }
      confirmLabel="Remove user"
      onConfirm={() => void confirm()}
      isDanger
      isBusy={isBusy}
      error={failure?.message}
    />
  );
}
