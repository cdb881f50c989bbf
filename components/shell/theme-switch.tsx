"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button.tsx";
import type { Theme } from "@/components/ui/look-choices.ts";
import { Menu } from "@/components/ui/menu.tsx";
import { useTheme } from "@/components/ui/theme.tsx";

const looks = {
  system: { label: "System", icon: <Monitor /> },
  light: { label: "Light", icon: <Sun /> },
  dark: { label: "Dark", icon: <Moon /> },
} as const satisfies Record<Theme, unknown>;

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const items = (["light", "dark", "system"] as const).map((choice) => ({
    ...looks[choice],
    ...(choice === theme && { hint: "current" }),
    onSelect: () => setTheme(choice),
  }));
  const label = `Theme: ${looks[theme].label.toLowerCase()}`;
  return <Menu label="Theme" trigger={<IconButton label={label} icon={looks[theme].icon} />} items={items} />;
}
