"use client";

import { ChevronDown, Eye, Power } from "lucide-react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { useStanding } from "@/components/console/status.tsx";
import { Switched } from "@/components/console/switched.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { tints } from "@/components/ui/tone.ts";
import { minuteText } from "@/components/ui/value-text.ts";
import type { Status } from "@/lib/queries/status.ts";
import { modeLook } from "./mode-look.tsx";
import { useModeSwitch } from "./mode-switch.tsx";

const looks = {
  shadow: { tone: "shadow", icon: <Eye />, title: "Shadow: rules only report, both lists are enforced" },
  off: { tone: "blocked", icon: <Power />, title: "Off: nothing is enforced, not even the blocklist" },
} as const;

/** Shown on every page while the mode is shadow or off. */
export function ModeBanner({ known }: { known: Status }) {
  const openSwitch = useModeSwitch();
  const { mode, modeSince, modeUntilMs, you } = known;
  if (mode === "enforce") return null;
  const canEnd = you.role === "admin";
  return (
    <Banner
      {...looks[mode]}
      actions={
        <>
          <AskButton needs="enforce" kind="change" target="the mode: back to enforce" />
          <Button onClick={openSwitch}>{canEnd ? "Switch back" : "Change mode"}</Button>
        </>
      }
    >
      {modeSince && <Switched {...modeSince} />}
      {modeUntilMs !== null && ` It goes back automatically at ${minuteText(modeUntilMs)} UTC.`}
      {!canEnd && " An admin can switch back."}
    </Banner>
  );
}

/** Current mode. Opens the dialog that explains and switches it. */
export function ModeBadge() {
  const openSwitch = useModeSwitch();
  const { tone, icon, label, short } = modeLook(useStanding());
  return (
    <button
      type="button"
      onClick={openSwitch}
      aria-label={`Mode: ${label}`}
      className={classes(
        "inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control border px-2.5 text-cell font-semibold whitespace-nowrap max-sm:h-11 [&_.lucide]:size-3.5",
        tints[tone],
      )}
    >
      {icon}
      <span className="max-lg:hidden">{label}</span>
      <span className="lg:hidden">{short}</span>
      <ChevronDown className="opacity-70 max-sm:hidden" />
    </button>
  );
}
