"use client";

import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { NetworkCredit } from "@/components/console/address-network.tsx";
import { BlockCheckProvider } from "@/components/console/block-check.tsx";
import type { Standing } from "@/components/console/standing.ts";
import { StatusProvider, useStanding } from "@/components/console/status.tsx";
import { PageNoticesProvider } from "@/components/ui/page-header.tsx";
import { AttackSwitchProvider } from "./attack/attack-switch.tsx";
import { Banners, SignedOutDialog } from "./banners.tsx";
import { LookUpProvider } from "./look-up/look-up.tsx";
import { MenuSheet } from "./menu-sheet.tsx";
import { ModeSwitchProvider } from "./mode/mode-switch.tsx";
import { Tabs } from "./navigation.tsx";
import { ShortcutsProvider } from "./shortcuts/shortcuts.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";

/** Frame of every page: navigation, the state of Sluice, and the emergency switch. */
export function ConsoleShell({ initial, children }: { initial: Standing; children: ReactNode }) {
  return (
    <StatusProvider initial={initial}>
      <AttackSwitchProvider>
        <ModeSwitchProvider>
          <BlockCheckProvider>
            <LookUpProvider>
              <ShortcutsProvider>
                <PageNoticesProvider notices={<Banners />}>
                  <Frame>{children}</Frame>
                  <SignedOutDialog />
                  <FreshPageForUser />
                </PageNoticesProvider>
              </ShortcutsProvider>
            </LookUpProvider>
          </BlockCheckProvider>
        </ModeSwitchProvider>
      </AttackSwitchProvider>
    </StatusProvider>
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
        <Sidebar path={path} />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar onMenu={() => setIsMenuOpen(true)} />
          <main
            id="content"
            tabIndex={-1}
            className="flex min-w-0 flex-1 flex-col gap-3 p-5 outline-none max-sm:p-4 max-sm:pb-24"
          >
            {children}
            <NetworkCredit />
          </main>
        </div>
      </div>
      <Tabs path={path} onMore={() => setIsMenuOpen(true)} />
      <MenuSheet path={path} isOpen={isMenuOpen} onClose={() => setIsMenuOpen(false)} />
    </>
  );
}

/** The next user who signs in may have another role, so the server renders the page again. */
function FreshPageForUser() {
  const router = useRouter();
  const { known } = useStanding();
  const you = known && `${known.you.email} ${known.you.role}`;
  const [drawnFor, setDrawnFor] = useState(you);
  useEffect(() => {
    if (you === undefined || you === drawnFor) return;
    setDrawnFor(you);
    // The first status is that of the user who asked for the page.
    if (drawnFor !== undefined) router.refresh();
  }, [you, drawnFor, router]);
  return null;
}
