"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { useTheme } from "../ui/theme.tsx";
import type { Theme } from "../ui/theme-choice.ts";

const looks = {
  system: { label: "As the system", icon: <Monitor /> },
  light: { label: "Light", icon: <Sun /> },
  dark: { label: "Dark", icon: <Moon /> },
} as const satisfies Record<Theme, unknown>;

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const items = (["light", "dark", "system"] as const).map((choice) => ({
    ...looks[choice],
    ...(choice === theme && { hint: "now" }),
    onSelect: () => setTheme(choice),
  }));
  const label = `Theme: ${looks[theme].label.toLowerCase()}`;
  return <Menu label="Theme" trigger={<IconButton label={label} icon={looks[theme].icon} />} items={items} />;
}
