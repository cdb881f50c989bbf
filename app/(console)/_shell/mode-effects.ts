import { may, type Role } from "../../../lib/auth/roles.ts";
import type { Mode } from "../../../lib/policy/schema.ts";

export interface ModeEffect {
  readonly title: string;
  /** What it does, in a sentence. */
  readonly effect: string;
  /** The button that switches to it. */
  readonly verb: string;
  /** How it is while it lasts. */
  readonly now: string;
}

export const modeEffects: Readonly<Record<Mode, ModeEffect>> = {
  enforce: {
    title: "Enforce",
    effect: "Rules stop whoever goes over them, and both lists stop whom they name.",
    verb: "Enforce again",
    now: "Now enforcing",
  },
  shadow: {
    title: "Shadow",
    effect: "Rules only report. Both lists still stop whom they name.",
    verb: "Switch to shadow",
    now: "Now in shadow",
  },
  off: {
    title: "Off",
    effect: "Nothing stops anyone, the blocklist neither.",
    verb: "Switch everything off",
    now: "Now off",
  },
};

/** What this role may switch to; the mildest first, so that nothing worse is chosen by accident. */
export function choicesFor(role: Role, now: Mode): Mode[] {
  const order: readonly Mode[] = ["enforce", "shadow", "off"];
  return order.filter((mode) => mode !== now && may(role, mode === "enforce" ? "enforce" : "ease-off"));
}

/** Who can take it back, said before it is done. */
export function sayWhoUndoes(role: Role, to: Mode): string {
  if (to === "enforce") return "Staff or an admin can ease off again.";
  if (may(role, "enforce")) return "Only an admin, as you are, can switch back to enforcing.";
  return "You cannot switch back to enforcing yourself: an admin has to.";
}
