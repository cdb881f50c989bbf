import { TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Countdown } from "@/components/ui/countdown.tsx";
import { Td } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { VerdictBadge, VerdictIcon } from "@/components/ui/verdicts.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { CustomerRow, CustomersPage } from "@/lib/queries/customers.ts";
import { sayLevel, sayPeriod, sayTier } from "../level-words.ts";

export const columnCount = 5;

interface CustomerCellsProps {
  /** Undefined while loading. */
  customer: CustomerRow | undefined;
  mode: CustomersPage["mode"];
  areCountersUp: boolean;
}

export function CustomerCells({ customer, mode, areCountersUp }: CustomerCellsProps) {
  if (!customer)
    return (
      <Td colSpan={columnCount}>
        <Skeleton className="h-3.5 w-2/3" />
      </Td>
    );
  const { id, tier, override, usage, isFlagged } = customer;
  return (
    <>
      <Td className="max-w-80 max-sm:max-w-40">
        <span className="flex items-center gap-2">
          <TextLink href={`/customers/${encodeURIComponent(id)}`} className="truncate font-medium">
            {id}
          </TextLink>
          {isFlagged && <Flag />}
        </span>
        {tier !== null && <span className="block text-meta text-text-3 sm:hidden">{sayTier(tier)}</span>}
      </Td>
      <Td className="max-sm:hidden">
        {tier === null ? <span className="text-text-3">–</span> : <Badge tone="plain">{sayTier(tier)}</Badge>}
      </Td>
      <Td className="max-w-80 max-lg:hidden">
        <span className="block truncate">
          {override ? override.levels.map(sayLevel).join(", ") : <span className="text-text-3">–</span>}
        </span>
      </Td>
      <Td className="max-lg:hidden">{override && <Countdown endsAt={override.expiresAt} />}</Td>
      <Td className="sm:w-96">
        {usage ? <Used usage={usage} mode={mode} /> : <NotCounted areCountersUp={areCountersUp} />}
      </Td>
    </>
  );
}

/** Of the level that is used up most. Meters and numbers are aligned. */
function Used({ usage, mode }: { usage: NonNullable<CustomerRow["usage"]>; mode: CustomersPage["mode"] }) {
  const { used, limit, periodSeconds, isOver, isShadowed, rule, algorithm } = usage;
  const isDenied = isOver && !isShadowed && mode === "enforce";
  const per = isRate(algorithm) ? "/s" : ` per ${sayPeriod(periodSeconds)}`;
  return (
    <span className="flex items-center gap-2 max-sm:justify-end">
      {isDenied && <VerdictIcon verdict="throttled" className="sm:hidden" />}
      <Meter
        value={Math.round(used)}
        limit={limit}
        label={`Used of ${limit}${per}, by ${rule}`}
        className="w-28 max-sm:hidden"
      />
      <span className="text-right whitespace-nowrap text-text-3 sm:min-w-24">
        <span className={isDenied ? "font-semibold text-blocked" : "text-text"}>
          {countText(Math.round(used))}
        </span>
        {` / ${countText(limit)}`}
      </span>
      <span className="w-16 text-meta whitespace-nowrap text-text-3 max-sm:w-auto">{per}</span>
      {isDenied && (
        <span className="max-sm:hidden">
          <VerdictBadge verdict="throttled" />
        </span>
      )}
    </span>
  );
}

function NotCounted({ areCountersUp }: { areCountersUp: boolean }) {
  return <span className="text-text-3">{areCountersUp ? "not counted by any rule" : "unknown"}</span>;
}

function Flag() {
  return (
    <Tooltip text="Part of the data in Redis is not enforced">
      <button
        type="button"
        aria-label="Part of the data in Redis is not enforced"
        className="inline-grid size-6 shrink-0 place-items-center rounded-sm text-throttled"
      >
        <TriangleAlert className="size-3.5" />
      </button>
    </Tooltip>
  );
}
