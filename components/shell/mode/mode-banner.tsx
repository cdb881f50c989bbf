"use client";

import { Eye, Power } from "lucide-react";
import { Switched } from "@/components/console/switched.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { Status } from "@/lib/queries/status.ts";
import { useModeSwitch } from "./mode-switch.tsx";

const looks = {
  shadow: { tone: "shadow", icon: <Eye />, title: "Shadow: rules only report, both lists are enforced" },
  off: { tone: "blocked", icon: <Power />, title: "Off: nothing is enforced, not even the blocklist" },
} as const;

/** Shown on every page while the mode is shadow or off. */
export function ModeBanner({ known }: { known: Status }) {
  const openSwitch = useModeSwitch();
  const { mode, modeSince, you } = known;
  if (mode === "enforce") return null;
  const canEnd = you.role === "admin";
  return (
    <Banner
      {...looks[mode]}
      actions={<Button onClick={openSwitch}>{canEnd ? "Switch back" : "Change mode"}</Button>}
    >
      {modeSince && <Switched {...modeSince} />}
      {!canEnd && " An admin can switch back."}
    </Banner>
  );
}
