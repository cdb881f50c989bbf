"use client";

import { useState } from "react";
import { useStanding } from "@/components/console/status.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";

/** Shown when the session ends while the page is open. Typed text is kept. */
export function SignedOutDialog() {
  const { trouble } = useStanding();
  const [readAt, setReadAt] = useState<number>();
  const isOver = trouble?.kind === "signed-out";
  return (
    <Dialog
      isOpen={isOver && trouble.since !== readAt}
      onClose={() => setReadAt(trouble?.since)}
      title="Your session has ended"
      description="What you typed is still here. Sign in in a new tab, then return here. This page resumes automatically."
      footer={<SignInAgain />}
      isAlert
    />
  );
}

/** Opens another tab, so that this one loses nothing. */
export function SignInAgain() {
  return (
    <LinkButton href="/signin" target="_blank" rel="noopener" variant="primary" size="lg">
      Sign in again
    </LinkButton>
  );
}
