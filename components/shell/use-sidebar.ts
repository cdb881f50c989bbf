"use client";

import { useSyncExternalStore } from "react";
import { useIsBelow } from "@/components/console/use-media.ts";
import { readSidebarChoice, type SidebarChoice, sidebarCookie } from "./sidebar-choice.ts";

/** Below it the sidebar has icons only, unless it was expanded. globals.css draws it. */
const tooNarrowForWords = { query: "(width < 73.75rem)" };
const oneYearSeconds = 31_536_000;
const watchers = new Set<() => void>();

/** Whether the sidebar shows icons only. A choice is remembered in this browser. */
export function useSidebar() {
  const isNarrow = useIsBelow(tooNarrowForWords) ?? false;
  const choice = useSyncExternalStore(watch, readRootChoice, () => undefined);
  return { isRail: choice === undefined ? isNarrow : choice === "rail", choose };
}

function choose(next: SidebarChoice): void {
  document.documentElement.dataset.sidebar = next;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing where the console is read over plain http.
  document.cookie = `${sidebarCookie}=${next}; path=/; max-age=${oneYearSeconds}; samesite=lax`;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** The server writes the choice to the root element, from the cookie. */
function readRootChoice(): SidebarChoice | undefined {
  return readSidebarChoice(document.documentElement.dataset.sidebar);
}
