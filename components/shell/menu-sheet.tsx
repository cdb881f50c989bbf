"use client";

import { Keyboard, Power } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Sheet } from "@/components/ui/sheet.tsx";
import { HealthPill } from "./health/health-pill.tsx";
import { useMaySwitch, useModeSwitch } from "./mode/mode-switch.tsx";
import { Navigation } from "./navigation.tsx";
import { useShortcutsDialog } from "./shortcuts/shortcuts.tsx";
import { DemoMark, ThemeSwitch } from "./top-bar.tsx";
import { UserBlock } from "./user-block.tsx";

/** Below 768 px: all pages, and the controls that do not fit into the top bar. */
export function MenuSheet({ path, isOpen, onClose }: { path: string; isOpen: boolean; onClose: () => void }) {
  const openSwitch = useModeSwitch();
  const maySwitch = useMaySwitch();
  const openShortcuts = useShortcutsDialog();
  const switchMode = () => {
    onClose();
    openSwitch();
  };
  const listShortcuts = () => {
    onClose();
    openShortcuts();
  };
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title="Menu" width={320}>
      <div className="flex min-h-full flex-col gap-4">
        <nav aria-label="All pages">
          <Navigation path={path} onLeave={onClose} />
        </nav>
        <div className="mt-auto flex flex-wrap items-center gap-2">
          <HealthPill />
          <DemoMark />
          <ThemeSwitch />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {maySwitch && (
            <Button icon={<Power />} onClick={switchMode}>
              Emergency switch
            </Button>
          )}
          <Button icon={<Keyboard />} onClick={listShortcuts}>
            Shortcuts
          </Button>
        </div>
        <UserBlock />
      </div>
    </Sheet>
  );
}
