"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../../../../components/ui/confirm-dialog.tsx";
import { Dialog } from "../../../../../components/ui/dialog.tsx";
import { Untrusted } from "../../../../../components/ui/untrusted.tsx";
import { type UserRow, users } from "../../../../../lib/queries/users.ts";
import { reset } from "../../../../_actions/users.ts";
import { useAction } from "../../_components/use-action.ts";
import { Done } from "./done.tsx";
import { type HandedOut, LinkOnce } from "./link-once.tsx";
import { sayEndedSessions } from "./user-words.ts";

export function ResetDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const [link, setLink] = useState<HandedOut>();
  const { run, isBusy, failure } = useAction(reset);
  const client = useQueryClient();
  const confirm = async () => {
    const done = await run({ email: user.email });
    if (done) setLink(done.value);
    await client.invalidateQueries({ queryKey: users().queryKey });
  };
  if (link) {
    return (
      <Dialog isOpen isAlert onClose={onClose} title="Hand this over" footer={<Done onClose={onClose} />}>
        <LinkOnce {...link} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={user.canSignIn ? "Reset password" : "Make another link"}
      description={<Consequence user={user} />}
      confirmLabel={user.canSignIn ? "Reset and make a link" : "Make another link"}
      onConfirm={() => void confirm()}
      isDanger={user.canSignIn}
      isBusy={isBusy}
      error={failure?.message}
    />
  );
}

function Consequence({ user }: { user: UserRow }) {
  const email = <Untrusted text={user.email} max={120} />;
  const link =
    "You get a link to hand over, with which they choose a new password. It works once, for 24 hours.";
  if (!user.canSignIn)
    return (
      <>
        The link that {email} has is void then. {link}
      </>
    );
  const way =
    user.by === "sso"
      ? "signs in by single sign-on now, and by password from then on, until the provider lets them in again"
      : "cannot sign in with the old password any more";
  return (
    <>
      {email} {way}. {sayEndedSessions(user)} {link}
    </>
  );
}
