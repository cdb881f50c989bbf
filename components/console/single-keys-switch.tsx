"use client";

import { Checkbox } from "@/components/ui/checkbox.tsx";
import { switchSingleKeys, useSingleKeys } from "@/components/ui/single-keys.ts";

/** Switches single-key shortcuts off and on, in this browser. */
export function SingleKeysSwitch() {
  return (
    <div>
      <Checkbox checked={useSingleKeys()} onChange={switchSingleKeys} label="Single-key shortcuts" />
      <p className="pl-7.5 text-cell text-text-3 max-sm:pl-12.5">
        Off: keys such as P and / do nothing. Shortcuts with Ctrl or ⌘, Esc and function keys still work. This
        browser remembers the choice.
      </p>
    </div>
  );
}
