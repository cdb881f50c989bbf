"use client";

import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { useStanding } from "./status.tsx";

/** The session has ended while the page was open: whatever was typed on it stays, and waits. */
export function SignedOutDialog() {
  const { trouble } = useStanding();
  const [readAt, setReadAt] = useState<number>();
  const isOver = trouble?.kind === "signed-out";
  return (
    <Dialog
      isOpen={isOver && trouble.since !== readAt}
      onClose={() => setReadAt(trouble?.since)}
      title="Your session has ended"
      description="What you typed is still here. Sign in in the new tab, then come back: this page goes on by itself."
      footer={<SignInAgain />}
      isAlert
    />
  );
}

/** In another tab, so that this one loses nothing. */
export function SignInAgain() {
  return (
    <LinkButton href="/signin" target="_blank" rel="noopener" variant="primary" size="lg">
      Sign in again
    </LinkButton>
  );
}
