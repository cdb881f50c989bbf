"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { RadioCards } from "@/components/ui/radio-cards.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { changeRole } from "@/lib/console/actions/users.ts";
import type { Role } from "@/lib/manage/users/roles.ts";
import { type UserRow, users } from "@/lib/queries/users.ts";
import { roleOptions, sayEndedSessions } from "./user-words.ts";

export function RoleDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const [role, setRole] = useState<Role>(user.role);
  const { run, isBusy, failure } = useMutate();
  const client = useQueryClient();
  const toast = useToast();
  const confirm = async () => {
    const done = await run(() => changeRole({ email: user.email, role }));
    if (done) {
      toast({ tone: "pass", title: `${user.email} is now ${role}` });
      onClose();
    }
    await client.invalidateQueries({ queryKey: users().queryKey });
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Change role"
      description={
        <>
          <Untrusted text={user.email} max={120} /> is {user.role} now. {sayEndedSessions(user)} The user
          signs in again with the new role.
        </>
      }
      confirmLabel={role === user.role ? "Choose another role" : `Make ${role}`}
      onConfirm={() => void confirm()}
      isBusy={isBusy}
      isDisabled={role === user.role}
      error={failure?.message}
    >
      <RadioCards
        label="Role"
        value={role}
        onChange={setRole}
        options={roleOptions}
        className="sm:grid-flow-row sm:grid-cols-2"
      />
    </ConfirmDialog>
  );
}
