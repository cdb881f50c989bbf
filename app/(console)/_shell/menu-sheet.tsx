"use client";

import { Power } from "lucide-react";
import { useModeSwitch } from "../../../components/shell/mode-switch.ts";
import { Navigation } from "../../../components/shell/navigation.tsx";
import { ThemeSwitch } from "../../../components/shell/theme-switch.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Sheet } from "../../../components/ui/sheet.tsx";
import { useMaySwitch } from "./use-may-switch.ts";
import { UserBlock } from "./user-block.tsx";

interface MenuSheetProps {
  path: string;
  isOpen: boolean;
  onClose: () => void;
}

/** On phones: every page, and what the top bar has no room for. */
export function MenuSheet({ path, isOpen, onClose }: MenuSheetProps) {
  const openSwitch = useModeSwitch();
  const maySwitch = useMaySwitch();
  const switchMode = () => {
    onClose();
    openSwitch();
  };
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title="Menu" width={320}>
      <div className="flex min-h-full flex-col gap-4">
        <nav aria-label="All pages">
          <Navigation path={path} onLeave={onClose} />
        </nav>
        <div className="mt-auto flex items-center gap-2">
          {maySwitch && (
            <Button icon={<Power />} onClick={switchMode}>
              Emergency switch
            </Button>
          )}
          <ThemeSwitch />
        </div>
        <UserBlock />
      </div>
    </Sheet>
  );
}
