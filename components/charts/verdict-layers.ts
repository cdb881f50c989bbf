import type { VerdictName } from "@/components/ui/verdicts.tsx";
import type { OverviewReply } from "@/lib/queries/overview.ts";

export type Point = OverviewReply["points"][number];

/** Layers from the bottom up. Denials are on top. */
export const layers = [
  { field: "safelisted", verdict: "safelisted", fill: 0.5 },
  { field: "pass", verdict: "pass", fill: 0.18 },
  { field: "throttled", verdict: "throttled", fill: 0.62 },
  { field: "blocked", verdict: "blocked", fill: 0.62 },
] as const satisfies readonly { field: keyof Point; verdict: VerdictName; fill: number }[];
