"use client";

import { Eye, Power } from "lucide-react";
import type { Status } from "../../lib/queries/status.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import { useModeSwitch } from "./mode-switch.ts";
import { Switched } from "./switched.tsx";

const looks = {
  shadow: { tone: "shadow", icon: <Eye />, title: "Shadow: rules only report, both lists still stop" },
  off: { tone: "blocked", icon: <Power />, title: "Off: nothing stops anyone, the blocklist neither" },
} as const;

/** Stands on every page for as long as somebody has switched enforcement down. */
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
