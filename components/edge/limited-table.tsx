"use client";

import { useEffect, useRef } from "react";
import { HeldNotice } from "@/components/console/held-notice.tsx";
import { narrowForButtons, useIsBelow } from "@/components/console/use-media.ts";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { TableFrame, Th } from "@/components/ui/data-table.tsx";
import { VirtualRows } from "@/components/ui/virtual-rows.tsx";
import type { LimitedClient } from "@/lib/queries/edge.ts";
import type { LettingIn } from "./let-in.tsx";
import type { Chosen } from "./limited-card.tsx";
import { columnCount, LimitedCells } from "./limited-cells.tsx";
import type { LimitedNow } from "./use-limited.ts";

const rowHeight = 46;
const cardHeight = 112;

interface LimitedTableProps {
  q: string;
  title: string;
  found: LimitedNow;
  mayLetIn: boolean;
  lettingIn: LettingIn;
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
}

export function LimitedTable(props: LimitedTableProps) {
  const { q, title, found, mayLetIn, lettingIn, chosen, choose } = props;
  const scrollRef = useRef<HTMLDivElement>(null);
  const hasCards = useIsBelow(narrowForButtons);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins at its top.
  useEffect(() => void scrollRef.current?.scrollTo({ top: 0 }), [q]);
  const { held } = found;
  const { count } = held;
  const row = (place: number) => {
    const { row: client, isGone = false } = held.rows.get(place) ?? {};
    const isLetIn = client !== undefined && lettingIn.isLetIn(client.key, found.readAt);
    const isChosen = client !== undefined && chosen.has(client.key);
    const pick = () => client && choose(toggled(chosen, client));
    const cells = (
      <LimitedCells {...{ client, mayLetIn, isLetIn, isGone, isChosen, lettingIn }} onPick={pick} />
    );
    return { isSelected: isChosen, isDimmed: isLetIn || isGone, cells };
  };
  return (
    <div {...held.area}>
      <TableFrame
        label={title}
        rowCount={count}
        scrollRef={scrollRef}
        isBusy={found.isBehind}
        isInset
        className="max-h-[min(640px,calc(100dvh-160px))]"
      >
        <Head {...props} />
        <VirtualRows
          {...{ count, scrollRef, row, columns: columnCount, onRange: found.show }}
          rowHeight={hasCards ? cardHeight : rowHeight}
        />
      </TableFrame>
      <HeldNotice {...held} />
    </div>
  );
}

function Head({ mayLetIn, ...picking }: LimitedTableProps) {
  return (
    <thead>
      <tr className="max-lg:sr-only">
        {mayLetIn && <PickAll {...picking} />}
        <Th>Client</Th>
        <Th>Request / user agent</Th>
        <Th className="max-lg:hidden">Kind</Th>
        <Th className="max-lg:hidden">Worst minute / limit</Th>
        <Th className="max-lg:hidden">At</Th>
        <Th className="max-xl:hidden">Since</Th>
        <Th className="max-lg:hidden">Until</Th>
        {mayLetIn && <Th isLabelHidden>Let in</Th>}
      </tr>
    </thead>
  );
}

type PickAllProps = Pick<LimitedTableProps, "found" | "chosen" | "choose">;

function PickAll({ found: { page }, chosen, choose }: PickAllProps) {
  const rows = page?.rows ?? [];
  const isAll = rows.length > 0 && rows.every(({ key }) => chosen.has(key));
  return (
    <Th className="w-11 pr-1 pl-2.5 max-lg:hidden">
      <Checkbox
        checked={isAll || (chosen.size > 0 && "indeterminate")}
        onChange={() => choose(new Map(isAll ? [] : rows.map((row) => [row.key, row])))}
        label={`Select the ${rows.length} loaded rows`}
        isLabelHidden
      />
    </Th>
  );
}

function toggled(chosen: Chosen, client: LimitedClient): Chosen {
  const next = new Map(chosen);
  if (!next.delete(client.key)) next.set(client.key, client);
  return next;
}
