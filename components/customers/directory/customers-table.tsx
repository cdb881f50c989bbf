"use client";

import { TriangleAlert, UserX } from "lucide-react";
import { useEffect, useRef } from "react";
import { phone, useIsBelow } from "@/components/console/use-media.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Countdown } from "@/components/ui/countdown.tsx";
import { TableFrame, Td, Th } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { VerdictBadge, VerdictIcon } from "@/components/ui/verdicts.tsx";
import { VirtualRows } from "@/components/ui/virtual-rows.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { CustomerRow, CustomersPage } from "@/lib/queries/customers.ts";
import { sayLevel, sayPeriod, sayTierEnd } from "../customer-words.ts";
import type { CustomersUrl } from "./customers-url.ts";
import type { CustomersNow } from "./use-customers.ts";

const rowHeight = 35;
const phoneRowHeight = 48;
const waitingRows = 12;

export function CustomersTable({ url, found }: { url: CustomersUrl; found: CustomersNow }) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const { page, isBehind } = found;
  const isPhone = useIsBelow(phone);
  const view = `${url.search} ${url.group}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view begins at its top.
  useEffect(() => void scrollRef.current?.scrollTo({ top: 0 }), [view]);
  return (
    <TableFrame
      label="Customers"
      rowCount={page?.total}
      scrollRef={scrollRef}
      isBusy={!page || isBehind}
      className="max-h-[calc(100dvh-190px)] min-h-60 flex-1"
    >
      <thead>
        <tr className="max-sm:sr-only">
          <Th>Customer</Th>
          <Th className="max-sm:hidden">Tier</Th>
          <Th className="max-lg:hidden">Custom throttle</Th>
          <Th className="max-lg:hidden">Ends in</Th>
          <Th>Usage now</Th>
        </tr>
      </thead>
      {page ? (
        <VirtualRows
          count={page.total}
          rowHeight={isPhone ? phoneRowHeight : rowHeight}
          columns={columnCount}
          scrollRef={scrollRef}
          onRange={found.show}
          row={(place) => ({
            cells: <CustomerCells customer={found.at(place)} page={page} />,
            isDimmed: isBehind,
          })}
        />
      ) : (
        <tbody>
          {Array.from({ length: waitingRows }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
            <tr key={i}>
              <CustomerCells customer={undefined} page={undefined} />
            </tr>
          ))}
        </tbody>
      )}
    </TableFrame>
  );
}

const columnCount = 5;

interface CustomerCellsProps {
  /** Undefined while loading. */
  customer: CustomerRow | undefined;
  page: CustomersPage | undefined;
}

function CustomerCells({ customer, page }: CustomerCellsProps) {
  const clock = useNow();
  if (!customer || !page)
    return (
      <Td colSpan={columnCount}>
        <Skeleton className="h-3.5 w-2/3" />
      </Td>
    );
  const { id, tier, tierEnd, override, suspension, usage, isFlagged } = customer;
  return (
    <>
      <Td className="max-w-80 max-sm:max-w-40">
        <span className="flex items-center gap-2">
          <TextLink href={`/customers/${encodeURIComponent(id)}`} className="truncate font-medium">
            {id}
          </TextLink>
          {suspension && (
            <Badge tone={page.mode === "enforce" ? "blocked" : "plain"} icon={<UserX />}>
              Suspended
            </Badge>
          )}
          {isFlagged && <Flag />}
        </span>
        {tier !== null && (
          <span suppressHydrationWarning className="block truncate text-meta text-text-3 sm:hidden">
            {sayTierEnd({ name: tier, expiresAt: null, ...tierEnd }, clock)}
          </span>
        )}
      </Td>
      <Td className="max-w-72 max-sm:hidden">
        {tier === null ? (
          <span className="text-text-3">–</span>
        ) : (
          <Badge tone="plain">
            <span suppressHydrationWarning className="truncate">
              {sayTierEnd({ name: tier, expiresAt: null, ...tierEnd }, clock)}
            </span>
          </Badge>
        )}
      </Td>
      <Td className="max-w-80 max-lg:hidden">
        <span className="block truncate">
          {override ? override.levels.map(sayLevel).join(", ") : <span className="text-text-3">–</span>}
        </span>
      </Td>
      <Td className="max-lg:hidden">{override && <Countdown endsAt={override.expiresAt} />}</Td>
      <Td className="sm:w-96">
        {usage ? (
          <Used usage={usage} mode={page.mode} />
        ) : (
          <span className="text-text-3">{page.areCountersUp ? "not counted by any rule" : "unknown"}</span>
        )}
      </Td>
    </>
  );
}

/** Of the level that is used up most. Meters and numbers are aligned. */
function Used({ usage, mode }: { usage: NonNullable<CustomerRow["usage"]>; mode: CustomersPage["mode"] }) {
  const { used, limit, periodSeconds, calendar, isOver, isShadowed, rule, algorithm } = usage;
  const isDenied = isOver && !isShadowed && mode === "enforce";
  const per = isRate(algorithm) ? "/s" : ` per ${calendar ?? sayPeriod(periodSeconds)}`;
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
