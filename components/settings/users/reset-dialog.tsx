"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { reset } from "@/lib/console/actions/users.ts";
import { type UserRow, users } from "@/lib/queries/users.ts";
import { Done, type HandedOut, LinkOnce } from "./link-once.tsx";
import { sayEndedSessions } from "./user-words.ts";

export function ResetDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const [link, setLink] = useState<HandedOut>();
  const { run, isBusy, failure } = useMutate();
  const client = useQueryClient();
  const confirm = async () => {
    const done = await run(() => reset({ email: user.email }));
    if (done) setLink(done.value);
    await client.invalidateQueries({ queryKey: users().queryKey });
  };
  if (link) {
    return (
      <Dialog isOpen isAlert onClose={onClose} title="Send this link" footer={<Done onClose={onClose} />}>
        <LinkOnce {...link} />
      </Dialog>
    );
  }
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
