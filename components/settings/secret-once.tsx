"use client";

import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";

interface SecretOnceProps {
  label: string;
  value: string;
  /** What a screen reader hears once it is copied. */
  copied: string;
}

/** A text that is shown this once, with its button to copy. */
export function SecretOnce({ label, value, copied }: SecretOnceProps) {
  const box = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    box.current?.select();
    // Over plain http there is no clipboard; what is selected can be copied by hand.
    const isDone = await navigator.clipboard?.writeText(value).then(
      () => true,
      () => false,
    );
    setIsCopied(isDone ?? false);
  };
  return (
    <>
      <Field label={label} hint="shown this once">
        <span className="flex gap-2">
          <Input
            ref={box}
            isMono
            readOnly
            value={value}
            className="flex-1"
            onFocus={(event) => event.target.select()}
          />
          <Button size="lg" icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
            {isCopied ? "Copied" : "Copy"}
          </Button>
        </span>
      </Field>
      <span role="status" className="sr-only">
        {isCopied && copied}
      </span>
    </>
  );
}
