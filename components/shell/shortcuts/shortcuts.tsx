"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { useKey } from "@/components/console/use-key.ts";

/** Fetched when it is opened. */
const ShortcutsDialog = lazyDialog(() =>
  import("./shortcuts-dialog.tsx").then((file) => file.ShortcutsDialog),
);

const OpenContext = createContext<() => void>(() => {});

/** Opens the list of shortcuts. */
export const useShortcutsDialog = (): (() => void) => use(OpenContext);

/** The list of shortcuts opens with `?`, and from the buttons that use `useShortcutsDialog`. */
export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  useKey("showShortcuts", open);
  return (
    <OpenContext value={open}>
      {children}
      {isOpen && <ShortcutsDialog onClose={() => setIsOpen(false)} />}
    </OpenContext>
  );
}
