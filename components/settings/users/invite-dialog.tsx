"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { RadioCards } from "@/components/ui/radio-cards.tsx";
import { invite } from "@/lib/console/actions/users.ts";
import type { Role } from "@/lib/manage/users/roles.ts";
import { normalEmail } from "@/lib/manage/users/user.ts";
import { users } from "@/lib/queries/users.ts";
import { Done, type HandedOut, LinkOnce } from "./link-once.tsx";
import { Refusal } from "./refusal.tsx";
import { roleOptions } from "./user-words.ts";

const formId = "invite-user";

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [link, setLink] = useState<HandedOut>();
  const { run, isBusy, failure } = useMutate();
  const client = useQueryClient();
  const wish = normalEmail(email);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const done = wish && (await run(() => invite({ email: wish, role })));
    if (!done) return;
    setLink(done.value);
    await client.invalidateQueries({ queryKey: users().queryKey });
  };
  if (link) {
    return (
      <Dialog isOpen isAlert onClose={onClose} title="Invited" footer={<Done onClose={onClose} />}>
        <LinkOnce {...link} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite a user"
      description="You get a link for the user to choose a password. It works once, for 7 days."
      footer={
        <>
          <Button variant="ghost" size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" size="lg" isBusy={isBusy} disabled={!wish}>
            Invite as {role}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
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
        <RadioCards
          label="Role"
          value={role}
          onChange={setRole}
          options={roleOptions}
          className="sm:grid-flow-row sm:grid-cols-2"
        />
        <Refusal failure={failure} />
      </form>
    </Dialog>
  );
}
