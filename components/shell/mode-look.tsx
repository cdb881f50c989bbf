import { Check, CircleHelp, Eye, Power, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Status } from "../../lib/queries/status.ts";
import type { Tone } from "../ui/tone.ts";
import type { Standing } from "./standing.ts";

export interface ModeLook {
  readonly tone: Tone;
  readonly icon: ReactNode;
  readonly label: string;
  /** For narrow places. */
  readonly short: string;
}

const looks: Readonly<Record<Status["mode"], ModeLook>> = {
  enforce: { tone: "pass", icon: <Check />, label: "Enforcing", short: "Enforcing" },
  shadow: { tone: "shadow", icon: <Eye />, label: "Shadow, only lists deny", short: "Shadow" },
  off: { tone: "blocked", icon: <Power />, label: "Off, nothing denied", short: "Off" },
};

/** Do the rules have to do without their counters? */
export function isDegraded({ known, trouble }: Standing): boolean {
  return trouble?.kind === "redis" || known?.counters.isUp === false;
}

/** Rules without their counters do not enforce what they say; lists go on, and whatever is off stays off. */
export function modeLook(standing: Standing): ModeLook {
  const { known } = standing;
  if (!known) return { tone: "plain", icon: <CircleHelp />, label: "Mode unknown", short: "Unknown" };
  if (known.mode !== "enforce" || !isDegraded(standing)) return looks[known.mode];
  return { tone: "throttled", icon: <TriangleAlert />, label: "Enforcing, degraded", short: "Degraded" };
}
