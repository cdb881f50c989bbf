import { Check, CircleHelp, Eye, Power, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Standing } from "@/components/console/standing.ts";
import type { Tone } from "@/components/ui/tone.ts";
import type { Status } from "@/lib/queries/status.ts";

interface ModeLook {
  readonly tone: Tone;
  readonly icon: ReactNode;
  readonly label: string;
  /** Label for narrow places. */
  readonly short: string;
}

const looks: Readonly<Record<Status["mode"], ModeLook>> = {
  enforce: { tone: "pass", icon: <Check />, label: "Enforcing", short: "Enforcing" },
  shadow: { tone: "shadow", icon: <Eye />, label: "Shadow, only lists deny", short: "Shadow" },
  off: { tone: "blocked", icon: <Power />, label: "Off, nothing denied", short: "Off" },
};

/** Whether rules are enforced without their counters. */
export function isDegraded({ known, trouble }: Standing): boolean {
  return trouble?.kind === "redis" || known?.counters.isUp === false;
}

/** Without counters, rules do not enforce their limits. Lists are still enforced, and a rule or mode that is off stays off. */
export function modeLook(standing: Standing): ModeLook {
  const { known } = standing;
  if (!known) return { tone: "plain", icon: <CircleHelp />, label: "Mode unknown", short: "Unknown" };
  if (known.mode !== "enforce" || !isDegraded(standing)) return looks[known.mode];
  return { tone: "throttled", icon: <TriangleAlert />, label: "Enforcing, degraded", short: "Degraded" };
}
