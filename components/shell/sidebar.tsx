"use client";

import { Keyboard, PanelLeftClose, PanelLeftOpen, User } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useIsBelow } from "@/components/console/use-media.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import {
  readSidebarChoice,
  rememberChoice,
  type SidebarChoice,
  sidebarCookie,
} from "@/components/ui/look-choices.ts";
import { Popover } from "@/components/ui/popover.tsx";
import { Navigation } from "./navigation.tsx";
import { useShortcutsDialog } from "./shortcuts/shortcuts.tsx";
import { UserBlock } from "./user-block.tsx";
import { Wordmark } from "./wordmark.tsx";

/** All pages. Shows icons with tooltips in a narrow window. On phones, the menu replaces it. */
export function Sidebar({ path }: { path: string }) {
  return (
    <nav
      aria-label="Pages"
      className="sticky top-0 flex h-dvh w-(--sidebar) shrink-0 flex-col border-r border-border bg-nav px-2.5 max-md:hidden rail:px-2"
    >
      <Wordmark className="h-13 px-2 rail:px-0" isRail />
      <div className="min-h-0 flex-1 overflow-y-auto py-3 rail:py-2">
        <Navigation path={path} isRail />
      </div>
      <div className="flex items-center justify-end gap-1 py-1.5 rail:flex-col">
        <ShortcutsButton />
        <SidebarButton />
        <UserButton />
      </div>
      <div className="rail:hidden">
        <UserBlock />
      </div>
    </nav>
  );
}

function ShortcutsButton() {
  const open = useShortcutsDialog();
  return <IconButton label="Keyboard shortcuts" icon={<Keyboard />} onClick={open} side="right" />;
}

function SidebarButton() {
  const { isRail, choose } = useSidebar();
  return (
    <IconButton
      label={isRail ? "Expand the sidebar" : "Collapse the sidebar"}
      icon={isRail ? <PanelLeftOpen /> : <PanelLeftClose />}
      onClick={() => choose(isRail ? "full" : "rail")}
      side="right"
    />
  );
}

/** Opens the signed-in user's details, which do not fit into a rail. */
function UserButton() {
  return (
    <span className="hidden rail:inline-flex">
      <Popover
        label="Signed in"
        width={240}
        trigger={
          <button
            type="button"
            aria-label="Signed in as"
            className="grid size-8 place-items-center rounded-full border border-border-2 text-text-2 transition-colors hover:bg-raised hover:text-text"
          >
            <User />
          </button>
        }
      >
        <UserBlock />
      </Popover>
    </span>
  );
}

/** Below it the sidebar has icons only, unless it was expanded. globals.css draws it. */
const tooNarrowForWords = { query: "(width < 73.75rem)" };
const watchers = new Set<() => void>();

/** Whether the sidebar shows icons only. A choice is remembered in this browser. */
function useSidebar() {
  const isNarrow = useIsBelow(tooNarrowForWords) ?? false;
  const choice = useSyncExternalStore(watch, readRootChoice, () => undefined);
  return { isRail: choice === undefined ? isNarrow : choice === "rail", choose };
}

function choose(next: SidebarChoice): void {
  document.documentElement.dataset.sidebar = next;
  rememberChoice(sidebarCookie, next);
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
