"use client";

import { useEffect, useRef } from "react";
import { phone, useIsBelow } from "@/components/console/use-media.ts";
import { TableFrame, Td, Th } from "@/components/ui/data-table.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { VirtualRows } from "@/components/ui/virtual-rows.tsx";
import { CustomerCells, columnCount } from "./customer-cells.tsx";
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
            cells: (
              <CustomerCells customer={found.at(place)} mode={page.mode} areCountersUp={page.areCountersUp} />
            ),
            isDimmed: isBehind,
          })}
        />
      ) : (
        <Waiting />
      )}
    </TableFrame>
  );
}

function Waiting() {
  return (
    <tbody>
      {Array.from({ length: waitingRows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
        <tr key={i}>
          <Td colSpan={columnCount}>
            <Skeleton className="h-3.5 w-2/3" />
          </Td>
        </tr>
      ))}
    </tbody>
  );
}
