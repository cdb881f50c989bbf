"use client";

import { Panel, type PanelProps } from "./dialog.tsx";

/** A dialog at the right edge of the window, for long content: history, a menu on phones. */
export function Sheet({ width = 420, ...panel }: PanelProps) {
  return (
    <Panel
      {...panel}
      bodyClassName="flex-1"
      style={{ maxWidth: `min(${width}px, 100vw - 32px)` }}
      className="fixed inset-y-0 right-0 z-50 flex w-full animate-appear flex-col border-l border-border-2 bg-surface shadow-e2"
    />
  );
}
