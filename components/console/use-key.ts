"use client";

import { useEffectEvent, useLayoutEffect } from "react";
import { pressedChord, type ShortcutName } from "./shortcuts.ts";

/** Runs a shortcut anywhere on the page. A key without Ctrl does nothing in a field, a dialog or a menu. */
export function useKey(name: ShortcutName, run: () => void): void {
  const onKey = useEffectEvent(run);
  // Before the page is painted: a person who sees it may press the key.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const chord = event.defaultPrevented ? undefined : pressedChord(name, event);
      if (!chord || (!chord.hasCtrl && isTaken(event.target))) return;
      event.preventDefault();
      onKey();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [name]);
}

const typing = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const answering = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && (target.matches(typing) || target.closest(answering) !== null);
}
