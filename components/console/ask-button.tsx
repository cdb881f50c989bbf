"use client";

import { MessageCircleQuestion } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { may, type Permission } from "@/lib/manage/users/roles.ts";
import type { RequestRow } from "@/lib/queries/alarms.ts";
import { lazyDialog } from "./lazy-dialog.tsx";
import { useStanding } from "./status.tsx";

const AskDialog = lazyDialog(() => import("./ask-dialog.tsx").then((file) => file.AskDialog));

interface AskButtonProps {
  /** What a role must lack to see the button. Undefined for all that may ask. */
  readonly needs?: Permission | undefined;
  readonly kind?: RequestRow["kind"] | undefined;
  /** What the request is about, filled in. */
  readonly target?: string | undefined;
  readonly label?: string | undefined;
}

/** For users whose role may not make a change: they ask staff to make it. Nothing for other roles. */
export function AskButton({ needs, label = "Ask staff…", ...about }: AskButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const role = useStanding().known?.you.role;
  if (!role || !may(role, "ask") || (needs && may(role, needs))) return null;
  return (
    <>
      <Button icon={<MessageCircleQuestion />} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && <AskDialog {...about} onClose={() => setIsOpen(false)} />}
    </>
  );
}
