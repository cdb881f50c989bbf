"use client";

import { Search } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from "react";
import { LookUpDialog } from "../../../components/shell/look-up-dialog.tsx";
import { useStanding } from "../../../components/shell/status.tsx";
import { classes } from "../../../components/ui/classes.ts";
import { Kbd } from "../../../components/ui/kbd.tsx";
import { may } from "../../../lib/auth/roles.ts";

const OpenContext = createContext<() => void>(() => {});

/** Opens by its box, by Ctrl-K or ⌘K from anywhere, and by a slash where nobody types. */
export function LookUpProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const { known } = useStanding();
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  useHotkey(open);
  return (
    <OpenContext value={open}>
      {children}
      <LookUpDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        // Paths are put together from what was found.
        go={(href) => router.push(href as Route)}
        mayCreate={known !== undefined && may(known.you.role, "customers")}
      />
    </OpenContext>
  );
}

export function LookUpBox({ className }: { className?: string }) {
  const open = use(OpenContext);
  const isApple = useSyncExternalStore(never, appleNow, () => false);
  return (
    <button
      type="button"
      onClick={open}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K /"
      className={classes(
        "flex h-8 w-100 min-w-0 items-center gap-2.5 rounded-control border border-control bg-field px-2.5 text-left text-body text-text-3 max-sm:h-11",
        className,
      )}
    >
      <Search />
      <span className="min-w-0 flex-1 truncate">Look up any IP or customer</span>
      <Kbd className="max-sm:hidden">{isApple ? "⌘K" : "Ctrl K"}</Kbd>
    </button>
  );
}

function useHotkey(open: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k";
      const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !isTaken(event.target);
      if (!isChord && !isSlash) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

/** Where somebody types, or has a dialog to answer first. */
function isTaken(target: EventTarget | null): boolean {
  const takers = "input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]";
  return target instanceof Element && target.closest(takers) !== null;
}

const never = () => () => {};
const appleNow = () => /Mac|iPhone|iPad/.test(navigator.platform);
