"use client";

import { useSyncExternalStore } from "react";
import { classes } from "./classes.ts";

/** Shows keys, such as "⌘K", as they are called on this keyboard. What they do has a name, so they are not read out. */
export function Kbd({ children, className }: { children: string; className?: string }) {
  const isApple = useSyncExternalStore(never, isAppleHere, () => false);
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

const never = () => () => {};

function isAppleHere(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
