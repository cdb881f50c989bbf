"use client";

import { Keyboard } from "lucide-react";
import { SingleKeysSwitch } from "@/components/console/single-keys-switch.tsx";
import { useShortcutsDialog } from "@/components/shell/shortcuts/shortcuts.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";

export function KeyboardCard() {
  const open = useShortcutsDialog();
  return (
    <Card
      title="Keyboard"
      actions={
        <Button icon={<Keyboard />} onClick={open}>
          Show shortcuts
        </Button>
      }
    >
      <SingleKeysSwitch />
    </Card>
  );
}
