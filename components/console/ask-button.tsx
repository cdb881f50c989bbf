"use client";

import { MessageCircleQuestion } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import type { RequestRow } from "@/lib/queries/alarms.ts";
import { lazyDialog } from "./lazy-dialog.tsx";

const AskDialog = lazyDialog(() => import("./ask-dialog.tsx").then((file) => file.AskDialog));

interface AskButtonProps {
  readonly kind?: RequestRow["kind"] | undefined;
  readonly target?: string | undefined;
}

/** For users whose role may not make a change: they ask staff to make it. */
export function AskButton(props: AskButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon={<MessageCircleQuestion />} onClick={() => setIsOpen(true)}>
        Ask staff…
      </Button>
      {isOpen && <AskDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}
