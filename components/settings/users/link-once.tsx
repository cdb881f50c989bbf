"use client";

import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { SecretOnce } from "../secret-once.tsx";

export interface HandedOut {
  readonly email: string;
  /** Under the console's public name, or a path of it. */
  readonly url: string;
  /** ISO */
  readonly until: string;
}

/** Dialog after an invitation or a reset. */
export function LinkDialog({
  title,
  link,
  onClose,
}: {
  title: string;
  link: HandedOut;
  onClose: () => void;
}) {
  return (
    <Dialog
      isOpen
      isAlert
      onClose={onClose}
      title={title}
      footer={
        <Button variant="primary" size="lg" onClick={onClose}>
          Done
        </Button>
      }
    >
      <LinkOnce {...link} />
    </Dialog>
  );
}

/** A one-time link, the one time that it is seen. */
function LinkOnce({ email, url, until }: HandedOut) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body">
        Give this link to <Untrusted text={email} max={120} className="font-medium" />. It works once, and
        expires <Timestamp at={until} />.
      </p>
      <SecretOnce
        label="One-time link"
        value={new URL(url, location.origin).href}
        copied="The link is copied."
      />
      <p className="text-cell text-text-2">
        Anyone who opens the link can choose the password, so send it privately. If it is lost, create another
        link: the earlier one then stops working.
      </p>
    </div>
  );
}
