"use client";

import { useSyncExternalStore } from "react";

/** Whether the window is as wide as that now; on the server nobody knows, so it is not. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}

export const phone = "(max-width: 39.99rem)";
/** Too narrow for a table; with buttons in each row, sooner. */
export const narrow = "(max-width: 47.99rem)";
export const narrowForButtons = "(max-width: 63.99rem)";
