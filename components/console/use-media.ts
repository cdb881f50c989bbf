"use client";

import { useSyncExternalStore } from "react";

/** A window width. */
export interface Width {
  readonly query: string;
  /** Classes of elements for windows below the width, and for other windows. */
  readonly isBelow: string;
  readonly isNotBelow: string;
}

export const phone: Width = { query: "(width < 40rem)", isBelow: "sm:hidden", isNotBelow: "max-sm:hidden" };
/** Below this, a window is too narrow for a table. */
export const narrow: Width = { query: "(width < 48rem)", isBelow: "md:hidden", isNotBelow: "max-md:hidden" };
export const narrowForButtons: Width = {
  query: "(width < 64rem)",
  isBelow: "lg:hidden",
  isNotBelow: "max-lg:hidden",
};

/** Whether the window is below the width. Undefined on the server and until hydration. */
export function useIsBelow({ query }: Pick<Width, "query">): boolean | undefined {
  return useSyncExternalStore<boolean | undefined>(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => window.matchMedia(query).matches,
    () => undefined,
  );
}
