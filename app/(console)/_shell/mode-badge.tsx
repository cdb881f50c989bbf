"use client";

import { ChevronDown } from "lucide-react";
import { modeLook } from "../../../components/shell/mode-look.tsx";
import { useModeSwitch } from "../../../components/shell/mode-switch.ts";
import { useStanding } from "../../../components/shell/status.tsx";
import { classes } from "../../../components/ui/classes.ts";
import { tints } from "../../../components/ui/tone.ts";

/** How everything is enforced just now; opens to what that means and who may switch it. */
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
      <ChevronDown className="opacity-70" />
    </button>
  );
}
