"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useMutate } from "@/components/console/use-mutate.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { remove } from "@/lib/console/actions/users.ts";
import { type UserRow, users } from "@/lib/queries/users.ts";
import { sayEndedSessions } from "./user-words.ts";

export function RemoveDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { run, isBusy, failure } = useMutate();
  const client = useQueryClient();
  const toast = useToast();
  const confirm = async () => {
    const done = await run(() => remove({ email: user.email }));
    if (done) {
      toast({ tone: "plain", title: `${user.email} is removed` });
      onClose();
    }
    await client.invalidateQueries({ queryKey: users().queryKey });
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Remove user"
      description={
        <>
          <Untrusted text={user.email} max={120} /> can no longer sign in. {sayEndedSessions(user)} Their
          changes stay in force and in the audit log.
          {user.by === "sso" && " Single sign-on works again only after a new invitation."}
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
