"use client";

import { ChevronDown } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { classes } from "@/components/ui/classes.ts";
import { tints } from "@/components/ui/tone.ts";
import { modeLook } from "./mode-look.tsx";
import { useModeSwitch } from "./mode-switch.tsx";

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
