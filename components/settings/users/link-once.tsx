"use client";

import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";

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
  const box = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const href = new URL(url, location.origin).href;
  const copy = async () => {
    box.current?.select();
    // Over plain http there is no clipboard; what is selected can be copied by hand.
    const isDone = await navigator.clipboard?.writeText(href).then(
      () => true,
      () => false,
    );
    setIsCopied(isDone ?? false);
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body">
        Give this link to <Untrusted text={email} max={120} className="font-medium" />. It works once, and
        expires <Timestamp at={until} />.
      </p>
      <Field label="One-time link" hint="shown this once">
        <span className="flex gap-2">
          <Input
            ref={box}
            isMono
            readOnly
            value={href}
            className="flex-1"
            onFocus={(event) => event.target.select()}
          />
          <Button size="lg" icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
            {isCopied ? "Copied" : "Copy"}
          </Button>
        </span>
      </Field>
      <p className="text-cell text-text-2">
        Anyone who opens the link can choose the password, so send it privately. If it is lost, create another
        link: the earlier one then stops working.
      </p>
      <span role="status" className="sr-only">
        {isCopied && "The link is copied."}
      </span>
    </div>
  );
}
