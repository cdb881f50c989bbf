"use client";

import { createContext, type ReactNode, use, useCallback, useState } from "react";
import { useStanding } from "@/components/console/status.tsx";
import { may } from "@/lib/manage/users/roles.ts";
import { ModeDialog } from "./mode-dialog.tsx";

/** Opens the dialog that switches the mode. */
const ModeSwitchContext = createContext<() => void>(() => {});

export const useModeSwitch = (): (() => void) => use(ModeSwitchContext);

/** One dialog for badge, power button, banner and menu. Its form is empty each time it opens. */
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

/** Whether this user may switch the mode. A user who may not switch to shadow or off may not enforce either. */
export function useMaySwitch(): boolean {
  const { known } = useStanding();
  return known !== undefined && may(known.you.role, "ease-off");
}
