"use client";

import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { Banners } from "../../../components/shell/banners.tsx";
import { Navigation } from "../../../components/shell/navigation.tsx";
import { SignedOutDialog } from "../../../components/shell/signed-out-dialog.tsx";
import type { Standing } from "../../../components/shell/standing.ts";
import { StatusProvider, useStanding } from "../../../components/shell/status.tsx";
import { Tabs } from "../../../components/shell/tabs.tsx";
import { Wordmark } from "../../../components/shell/wordmark.tsx";
import { PageNoticesProvider } from "../../../components/ui/page-notices.tsx";
import { LostLists } from "../../_components/lost-lists.tsx";
import { LookUpProvider } from "./look-up.tsx";
import { MenuSheet } from "./menu-sheet.tsx";
import { ModeSwitchProvider } from "./mode-switch.tsx";
import { TopBar } from "./top-bar.tsx";
import { UserBlock } from "./user-block.tsx";

/** What stands round every page: where one is, how Sluice stands, and what to do in an emergency. */
export function ConsoleShell({ initial, children }: { initial: Standing; children: ReactNode }) {
  return (
    <StatusProvider initial={initial}>
      <ModeSwitchProvider>
        <LookUpProvider>
          <PageNoticesProvider notices={<Notices />}>
            <Frame>{children}</Frame>
            <SignedOutDialog />
            <FreshPageForWhoever />
          </PageNoticesProvider>
        </LookUpProvider>
      </ModeSwitchProvider>
    </StatusProvider>
  );
}

/** What is lost comes first: nothing else is as urgent. */
function Notices() {
  const path = usePathname();
  return (
    <>
      <LostLists />
      <Banners path={path} />
    </>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const path = usePathname();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-90 -translate-y-20 rounded-control bg-inv px-3 py-2 text-inv-text focus:translate-y-0"
      >
        Skip to the content
      </a>
      <div className="flex min-h-dvh">
        <nav
          aria-label="Pages"
          className="sticky top-0 flex h-dvh w-52 shrink-0 flex-col border-r border-border bg-nav px-2.5 max-sm:hidden"
        >
          <Wordmark className="h-13 px-2" />
          <div className="min-h-0 flex-1 overflow-y-auto py-3">
            <Navigation path={path} />
          </div>
          <UserBlock />
        </nav>
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar onMenu={() => setIsMenuOpen(true)} />
          <main
            id="content"
            tabIndex={-1}
            className="flex min-w-0 flex-1 flex-col gap-3 p-5 outline-none max-sm:p-4 max-sm:pb-24"
          >
            {children}
          </main>
        </div>
      </div>
      <Tabs path={path} onMore={() => setIsMenuOpen(true)} />
      <MenuSheet path={path} isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} />
    </>
  );
}

/** Whoever signs in anew may be somebody else, or have another role: what the server drew for the one before is drawn again. */
function FreshPageForWhoever() {
  const router = useRouter();
  const { known } = useStanding();
  const you = known && `${known.you.email} ${known.you.role}`;
  const [drawnFor, setDrawnFor] = useState(you);
  useEffect(() => {
    if (you === undefined || you === drawnFor) return;
    setDrawnFor(you);
    router.refresh();
  }, [you, drawnFor, router]);
  return null;
}
