import { countText } from "../../../../../components/ui/count-text.ts";
import { Meter } from "../../../../../components/ui/meter.tsx";
import type { LevelUsage } from "../../../../../lib/queries/customer.ts";

interface UsageMeterProps {
  /** Nothing: no rule counts this period, or it was not read yet. */
  usage: LevelUsage | undefined;
  /** Nothing while it is being typed. */
  limit: number | undefined;
  /** The counters cannot be read. */
  isUnknown: boolean;
}

/** What was used so far, against the limit that is being written. */
export function UsageMeter({ usage, limit, isUnknown }: UsageMeterProps) {
  if (!usage) return <span className="text-cell text-text-3">{isUnknown ? "not known now" : "–"}</span>;
  const used = Math.round(usage.used);
  if (limit === undefined) return <span className="text-cell text-text-2">{countText(used)} used</span>;
  return <Meter value={used} limit={limit} label={`Used of the level, by ${usage.rule}`} hasText />;
}
