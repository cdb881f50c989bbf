import { Meter } from "@/components/ui/meter.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { LevelUsage } from "@/lib/queries/customer.ts";

interface UsageMeterProps {
  /** Undefined if no rule counts this period, or while loading. */
  usage: LevelUsage | undefined;
  /** Undefined while it is being typed. */
  limit: number | undefined;
  /** The counters cannot be read. */
  isUnknown: boolean;
}

/** What was used so far, against the limit that is being written. */
export function UsageMeter({ usage, limit, isUnknown }: UsageMeterProps) {
  if (!usage) return <span className="text-cell text-text-3">{isUnknown ? "usage unknown" : "–"}</span>;
  const used = Math.round(usage.used);
  if (limit === undefined) return <span className="text-cell text-text-2">{countText(used)} used</span>;
  return <Meter value={used} limit={limit} label={`Used of the level, by ${usage.rule}`} hasText />;
}
