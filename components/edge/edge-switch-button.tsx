"use client";

import { Power } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { rolesThatMay } from "@/lib/manage/users/roles.ts";
import type { EdgeReply } from "@/lib/queries/edge.ts";
import { EdgeSwitchDialog } from "./edge-switch-dialog.tsx";

/** Switches limiting at every edge off, and on again. */
export function EdgeSwitchButton({ edge, maySwitch }: { edge: EdgeReply; maySwitch: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant={edge.isOn ? "danger" : "primary"}
        icon={<Power />}
        disabledReason={maySwitch ? undefined : `Only ${rolesThatMay("edge")} may switch the edge.`}
        onClick={() => setIsOpen(true)}
      >
        {edge.isOn ? "Switch off" : "Switch on"}
      </Button>
      {isOpen && <EdgeSwitchDialog edge={edge} onClose={() => setIsOpen(false)} />}
    </>
  );
}
