"use client";

import { Menu, Power } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { DemoMark } from "./demo-mark.tsx";
import { EdgeBadge } from "./edge-off.tsx";
import { HealthPill } from "./health/health-pill.tsx";
import { LookUpBox } from "./look-up/look-up.tsx";
import { ModeBadge } from "./mode/mode-state.tsx";
import { useMaySwitch, useModeSwitch } from "./mode/mode-switch.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { Wordmark } from "./wordmark.tsx";

/** One row. Below 768 px, the menu has what does not fit, and the health is shown only if something is wrong. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  const openSwitch = useModeSwitch();
  const maySwitch = useMaySwitch();
  return (
    <header className="sticky top-0 z-20 flex h-13 shrink-0 items-center gap-2.5 border-b border-border bg-bg px-5 max-sm:static max-sm:h-14 max-sm:gap-2 max-sm:px-4">
      <Wordmark isMark className="md:hidden" />
      <LookUpBox className="md:mr-auto max-md:flex-1" />
      <HealthPill isInTopBar />
      <span className="contents max-md:hidden">
        <DemoMark />
      </span>
      <div className="flex shrink-0 items-center gap-2">
        <EdgeBadge />
        <ModeBadge />
        {maySwitch && (
          <IconButton
            label="Emergency switch"
            variant="secondary"
            icon={<Power />}
            onClick={openSwitch}
            className="max-md:hidden"
          />
        )}
        <span className="max-md:hidden">
          <ThemeSwitch />
        </span>
        <IconButton label="Menu" icon={<Menu />} onClick={onMenu} className="max-sm:-mr-2 md:hidden" />
      </div>
    </header>
  );
}
