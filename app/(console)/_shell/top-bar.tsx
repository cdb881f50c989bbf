"use client";

import { Menu, Power } from "lucide-react";
import { EdgeBadge } from "../../../components/shell/edge-badge.tsx";
import { HealthPill } from "../../../components/shell/health-pill.tsx";
import { useModeSwitch } from "../../../components/shell/mode-switch.ts";
import { ThemeSwitch } from "../../../components/shell/theme-switch.tsx";
import { Wordmark } from "../../../components/shell/wordmark.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { LookUpBox } from "./look-up.tsx";
import { ModeBadge } from "./mode-badge.tsx";
import { useMaySwitch } from "./use-may-switch.ts";

/** One row; on phones three, of which only the first stays. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  const openSwitch = useModeSwitch();
  const maySwitch = useMaySwitch();
  return (
    <header className="sticky top-0 z-20 flex h-13 shrink-0 items-center gap-2.5 border-b border-border bg-bg px-5 max-sm:static max-sm:h-auto max-sm:flex-wrap max-sm:gap-y-2 max-sm:border-b-0 max-sm:px-4 max-sm:pt-2">
      <Wordmark className="h-11 sm:hidden" />
      <LookUpBox className="max-sm:order-3 max-sm:w-full sm:mr-auto" />
      <div className="flex min-w-0 max-sm:order-4 max-sm:w-full">
        <HealthPill />
      </div>
      <div className="flex items-center gap-2 max-sm:ml-auto">
        <EdgeBadge />
        <ModeBadge />
        {maySwitch && (
          <IconButton
            label="Emergency switch"
            variant="secondary"
            icon={<Power />}
            onClick={openSwitch}
            className="max-sm:hidden"
          />
        )}
        <span className="max-sm:hidden">
          <ThemeSwitch />
        </span>
        <IconButton label="Menu" icon={<Menu />} onClick={onMenu} className="sm:hidden" />
      </div>
    </header>
  );
}
