"use client";

import { FlaskConical, Menu as MenuIcon, Monitor, Moon, Power, Sun } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import type { Theme } from "@/components/ui/look-choices.ts";
import { Menu } from "@/components/ui/menu.tsx";
import { useTheme } from "@/components/ui/theme.tsx";
import { EdgeBadge } from "./edge-off.tsx";
import { HealthPill } from "./health/health-pill.tsx";
import { LookUpBox } from "./look-up/look-up.tsx";
import { ModeBadge } from "./mode/mode-state.tsx";
import { useMaySwitch, useModeSwitch } from "./mode/mode-switch.tsx";
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
        <IconButton label="Menu" icon={<MenuIcon />} onClick={onMenu} className="max-sm:-mr-2 md:hidden" />
      </div>
    </header>
  );
}

/** Shown while the console serves the data of `npm run demo` or `npm run dev`. */
export function DemoMark() {
  const { known } = useStanding();
  if (!known?.isDemo) return null;
  return (
    <span title="Demonstration data">
      <Badge tone="plain" icon={<FlaskConical />} isLarge>
        <span className="max-lg:sr-only">Demonstration data</span>
        <span aria-hidden className="lg:hidden">
          Demo
        </span>
      </Badge>
    </span>
  );
}

const themeLooks = {
  system: { label: "System", icon: <Monitor /> },
  light: { label: "Light", icon: <Sun /> },
  dark: { label: "Dark", icon: <Moon /> },
} as const satisfies Record<Theme, unknown>;

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const items = (["light", "dark", "system"] as const).map((choice) => ({
    ...themeLooks[choice],
    ...(choice === theme && { hint: "current" }),
    onSelect: () => setTheme(choice),
  }));
  const label = `Theme: ${themeLooks[theme].label.toLowerCase()}`;
  return (
    <Menu label="Theme" trigger={<IconButton label={label} icon={themeLooks[theme].icon} />} items={items} />
  );
}
