"use client";

import { type ReactNode, useCallback, useState } from "react";
import { ModeSwitchContext } from "../../../components/shell/mode-switch.ts";
import { ModeDialog } from "./mode-dialog.tsx";

/** One dialog for badge, power button, banner and menu. Each time it opens, it begins anew. */
export function ModeSwitchProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => {
    setOpened((count) => count + 1);
    setIsOpen(true);
  }, []);
  return (
    <ModeSwitchContext value={open}>
      {children}
      <ModeDialog key={opened} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </ModeSwitchContext>
  );
}
