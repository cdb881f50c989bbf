"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/console/form-dialog.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { RadioCards } from "@/components/ui/radio-cards.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Result } from "@/lib/console/action.ts";
import { changeRole, invite, remove, reset } from "@/lib/console/actions/users.ts";
import type { Role } from "@/lib/manage/users/roles.ts";
import { normalEmail } from "@/lib/manage/users/user.ts";
import { type UserRow, users } from "@/lib/queries/users.ts";
import { type HandedOut, LinkDialog } from "./link-once.tsx";
import { roleOptions, sayEndedSessions } from "./user-words.ts";

export function RoleDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const [role, setRole] = useState<Role>(user.role);
  const { change, isBusy, failure } = useUserChange();
  const toast = useToast();
  const confirm = () =>
    change(
      () => changeRole({ email: user.email, role }),
      () => {
        toast({ tone: "pass", title: `${user.email} is now ${role}` });
        onClose();
      },
    );
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
      <RoleField value={role} onChange={setRole} />
    </ConfirmDialog>
  );
}

export function ResetDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const [link, setLink] = useState<HandedOut>();
  const { change, isBusy, failure } = useUserChange();
  const confirm = () => change(() => reset({ email: user.email }), setLink);
  if (link) return <LinkDialog title="Send this link" link={link} onClose={onClose} />;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={user.canSignIn ? "Reset password" : "Create another link"}
      description={<Consequence user={user} />}
      confirmLabel={user.canSignIn ? "Reset and create a link" : "Create another link"}
      onConfirm={() => void confirm()}
      isDanger={user.canSignIn}
      isBusy={isBusy}
      error={failure?.message}
    />
  );
}

function Consequence({ user }: { user: UserRow }) {
  const email = <Untrusted text={user.email} max={120} />;
  const link = "You get a link for the user to choose a new password. It works once, for 24 hours.";
  if (!user.canSignIn)
    return (
      <>
        The link that {email} has stops working. {link}
      </>
    );
  const way =
    user.by === "sso"
      ? "signs in by single sign-on now. After the reset, the user signs in by password until the next single sign-on"
      : "can no longer sign in with the old password";
  return (
    <>
      {email} {way}. {sayEndedSessions(user)} {link}
    </>
  );
}

export function RemoveDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { change, isBusy, failure } = useUserChange();
  const toast = useToast();
  const confirm = () =>
    change(
      () => remove({ email: user.email }),
      () => {
        toast({ tone: "plain", title: `${user.email} is removed` });
        onClose();
      },
    );
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

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [link, setLink] = useState<HandedOut>();
  const { change, isBusy, failure } = useUserChange();
  const wish = normalEmail(email);
  const submit = async () => {
    if (wish) await change(() => invite({ email: wish, role }), setLink);
  };
  if (link) return <LinkDialog title="Invited" link={link} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite a user"
      description="You get a link for the user to choose a password. It works once, for 7 days."
      submitLabel={`Invite as ${role}`}
      onSubmit={submit}
      isReady={wish !== undefined}
      {...{ isBusy, failure, onClose }}
    >
      <Field label="Email" error={failure?.fields.email}>
        <Input
          type="email"
          autoFocus
          spellCheck={false}
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}

function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <RadioCards
      label="Role"
      value={value}
      onChange={onChange}
      options={roleOptions}
      className="sm:grid-flow-row sm:grid-cols-2"
    />
  );
}

/** Runs a change of a user, then reads all users again. */
function useUserChange() {
  const { run, isBusy, failure } = useMutate();
  const client = useQueryClient();
  const change = async <T,>(call: () => Promise<Result<T>>, onDone: (value: T) => void) => {
    const done = await run(call);
    if (done) onDone(done.value);
    await client.invalidateQueries({ queryKey: users().queryKey });
  };
  return { change, isBusy, failure };
}
