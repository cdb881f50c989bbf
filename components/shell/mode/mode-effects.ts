import type { Mode } from "@/lib/enforce/policy/schema.ts";
import { may, type Role } from "@/lib/manage/users/roles.ts";

interface ModeEffect {
  readonly title: string;
  /** Effect of the mode, as a sentence. */
  readonly effect: string;
  /** Label of the button that switches to it. */
  readonly verb: string;
  /** State while the mode lasts. */
  readonly now: string;
}

export const modeEffects: Readonly<Record<Mode, ModeEffect>> = {
  enforce: {
    title: "Enforce",
    effect: "Rules and both lists are enforced.",
    verb: "Enforce again",
    now: "Now enforcing",
  },
  shadow: {
    title: "Shadow",
    effect: "Rules only report. Both lists are enforced.",
    verb: "Switch to shadow",
    now: "Now in shadow",
  },
  off: {
    title: "Off",
    effect: "Nothing is enforced, not even the blocklist.",
    verb: "Switch everything off",
    now: "Now off",
  },
};

/** Modes that this role may switch to. The mildest is first, so that no worse one is chosen by accident. */
export function choicesFor(role: Role, now: Mode): Mode[] {
  const order: readonly Mode[] = ["enforce", "shadow", "off"];
  return order.filter((mode) => mode !== now && may(role, mode === "enforce" ? "enforce" : "ease-off"));
}

/** Who can switch back. Shown before the switch. */
export function sayWhoUndoes(role: Role, to: Mode): string {
  if (to === "enforce") return "Staff or an admin can switch to shadow or off again.";
  if (may(role, "enforce")) return "Only an admin, like you, can switch back to enforcing.";
  return "You cannot switch back to enforcing. Only an admin can.";
}
