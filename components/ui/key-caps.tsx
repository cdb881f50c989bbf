"use client";

import { useIsApple } from "./kbd.tsx";

interface KeyCapsProps {
  /** Such as `⌘K`. ⌘ is shown as Ctrl on keyboards without it. */
  text: string;
}

const look =
  "inline-flex h-6 min-w-6 items-center justify-center rounded-[4px] border border-border-2 bg-raised px-1.5 font-sans text-meta text-text";

/** Keys in a list of shortcuts, readable for screen readers. Buttons use `Kbd`. */
export function KeyCaps({ text }: KeyCapsProps) {
  const isApple = useIsApple();
  const hasCtrl = text.startsWith("⌘");
  return (
    <>
      {hasCtrl && <kbd className={look}>{isApple ? "⌘" : "Ctrl"}</kbd>}
      <kbd className={look}>{hasCtrl ? text.slice(1) : text}</kbd>
    </>
  );
}
