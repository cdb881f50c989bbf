"use client";

import dynamic from "next/dynamic";
import type { ComponentType } from "react";

/**
 * A dialog whose code is fetched when it is first opened. Without `loading`, React hides the whole page until the code has come, and
 * the focus, to which a closed dialog returns, is lost.
 */
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return dynamic(load, { ssr: false, loading: Loading });
}

/** Appears only where the code takes a while. */
function Loading() {
  return (
    <p
      role="status"
      className="fixed bottom-6 left-1/2 z-50 -translate-x-1/2 animate-appear rounded-bar bg-surface px-4 py-2.5 text-body text-text-2 shadow-e2 [animation-delay:200ms] [animation-fill-mode:both]"
    >
      Loading …
    </p>
  );
}
