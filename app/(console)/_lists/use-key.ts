"use client";

import { useEffect } from "react";
import { useLatest } from "./use-latest.ts";

/** A key that does something wherever the focus is, but not while somebody types or answers a dialog. */
export function useKey(key: string, run: () => void): void {
  const latest = useLatest(run);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !event.defaultPrevented;
      if (!isPlain || event.key.toLowerCase() !== key.toLowerCase() || isTaken(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [key, latest]);
}

function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const isTyping = target.matches("input, textarea, select, [contenteditable]");
  return (
    isTyping || target.closest("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") !== null
  );
}
