"use client";

import { useSyncExternalStore } from "react";
import { classes } from "./classes.ts";
import { useSingleKeys } from "./single-keys.ts";

/** Shows keys, such as "⌘K", as this keyboard names them. Hidden from screen readers, because the control has a name.
 * A single key is not shown while single keys are switched off. */
export function Kbd({ children, className }: { children: string; className?: string }) {
  const isApple = useIsApple();
  const areSinglesOn = useSingleKeys();
  if (children.length === 1 && !areSinglesOn) return null;
  return (
    <span
      aria-hidden="true"
      className={classes(
        "inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-[4px] border border-current/30 px-1 font-sans text-meta font-normal max-sm:hidden",
        className,
      )}
    >
      {isApple ? children : children.replace("⌘", "Ctrl ")}
    </span>
  );
}

/** Whether this keyboard has ⌘ instead of Ctrl. */
export function useIsApple(): boolean {
  return useSyncExternalStore(never, isAppleHere, () => false);
}

const never = () => () => {};

function isAppleHere(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
