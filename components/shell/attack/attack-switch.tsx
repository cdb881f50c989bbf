"use client";

import { createContext, type ReactNode, use, useCallback, useState } from "react";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";

const AttackDialog = lazyDialog(() => import("./attack-dialog.tsx").then((file) => file.AttackDialog));

/** Opens the dialog of attack mode. */
const AttackSwitchContext = createContext<() => void>(() => {});

export const useAttackSwitch = (): (() => void) => use(AttackSwitchContext);

/** One dialog for all its buttons. Its form is empty each time it opens. */
export function AttackSwitchProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => {
    setOpened((count) => count + 1);
    setIsOpen(true);
  }, []);
  return (
    <AttackSwitchContext value={open}>
      {children}
      {opened > 0 && <AttackDialog key={opened} isOpen={isOpen} onClose={() => setIsOpen(false)} />}
    </AttackSwitchContext>
  );
}
