"use client";

import { memo } from "react";
import { classes } from "@/components/ui/classes.ts";
import { Countdown } from "@/components/ui/countdown.tsx";
import { Td, Tr } from "@/components/ui/data-table.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { heights, type RowProps } from "../rows/rows-view.ts";
import { PickBox } from "../selection/pick-box.tsx";
import { ConflictBadge, isInForce } from "./conflict-badge.tsx";
import { AddedAt, AddedBy, Address, Reason, Source } from "./entry-cells.tsx";
import { LapseActions } from "./lapse-actions.tsx";
import { RowMenu } from "./row-menu.tsx";

const cell = "overflow-hidden whitespace-nowrap text-text-2";

/** One row. It is drawn again only when it changes: most rows do not change while scrolling. */
export const EntryRow = memo(function EntryRow(row: RowProps) {
  const { list, place, entry, isGone, isPicked, isRemoving, isExpiring, mayChange, acts } = row;
  const isInbox = isExpiring && mayChange;
  const isGoing = isRemoving || isGone;
  return (
    <Tr aria-rowindex={place + 2} isSelected={isPicked} isDimmed={isGoing} style={{ height: heights.row }}>
      <Td className="pr-1 pl-2.5">
        <PickBox
          isPicked={isPicked}
          label={`Select ${entry.address}`}
          onPick={(hasShift) => acts.current.pick(entry, place, hasShift)}
        />
      </Td>
      <Td className={classes(cell, "pl-1 text-text")}>
        <Address entry={entry} isInForce={isInForce(list, entry) && !isGoing} />
      </Td>
      <Td className={classes(cell, "text-text")}>
        <span className="flex min-w-0 items-center gap-2">
          <ConflictBadge list={list} entry={entry} />
          <Reason text={entry.reason} />
        </span>
      </Td>
      <Td className={classes(cell, isInbox ? "max-[1399px]:hidden" : "max-xl:hidden")}>
        <AddedBy entry={entry} />
      </Td>
      <Td className={classes(cell, isInbox ? "hidden" : "max-lg:hidden")}>
        <AddedAt at={entry.at} />
      </Td>
      <Td className={cell}>
        {isGoing ? (
          <span className="text-text-3">{isRemoving ? "removing" : "gone"}</span>
        ) : (
          <Countdown endsAt={entry.expiresAt} lifeMs={entry.lifeMs} />
        )}
      </Td>
      <Td className={classes(cell, isExpiring ? "max-xl:hidden" : "max-[1399px]:hidden")}>
        {isExpiring ? <ListedBefore count={row.listedBefore} /> : <Source via={entry.via} />}
      </Td>
      <Td className="pr-2 pl-1 text-right">
        {!isRemoving && (
          <span className="inline-flex items-center justify-end gap-1">
            {isInbox && entry.expiresAt !== null && <LapseActions {...row} />}
            <RowMenu {...row} />
          </span>
        )}
      </Td>
    </Tr>
  );
});

function ListedBefore({ count }: { count: number | undefined }) {
  if (count === undefined) return <span className="text-text-3">see history</span>;
  return count === 0 ? (
    <span className="text-text-3">never</span>
  ) : (
    `${count} ${count === 1 ? "time" : "times"}`
  );
}

export function SkeletonRow({ place }: { place: number }) {
  return (
    <Tr aria-rowindex={place + 2} style={{ height: heights.row }}>
      <Td />
      <Td className="pl-1">
        <Skeleton className="h-3 w-28" />
      </Td>
      <Td>
        <Skeleton className="h-3 w-40 max-w-full" />
      </Td>
      <Td className="max-xl:hidden">
        <Skeleton className="h-3 w-28" />
      </Td>
      <Td className="max-lg:hidden">
        <Skeleton className="h-3 w-14" />
      </Td>
      <Td>
        <Skeleton className="h-3 w-20" />
      </Td>
      <Td className="max-[1399px]:hidden" />
      <Td />
    </Tr>
  );
}
