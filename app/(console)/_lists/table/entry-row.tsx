"use client";

import { classes } from "../../../../components/ui/classes.ts";
import { Countdown } from "../../../../components/ui/countdown.tsx";
import { Td, Tr } from "../../../../components/ui/data-table.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { ConflictBadge, isInForce } from "./conflict-badge.tsx";
import { AddedAt, AddedBy, Address, Reason, Source } from "./entry-cells.tsx";
import { isLapsing } from "./lapse.ts";
import { LapseActions } from "./lapse-actions.tsx";
import { PickBox } from "./pick-box.tsx";
import { RowMenu } from "./row-menu.tsx";
import type { HeldRow } from "./row-windows.ts";
import { heights, type RowsView } from "./rows-view.ts";
import { isSelected } from "./selection.ts";

interface EntryRowProps {
  readonly place: number;
  readonly row: HeldRow;
  readonly view: RowsView;
  /** It asks what shall become of it. */
  readonly isInbox: boolean;
}

const cell = "overflow-hidden whitespace-nowrap text-text-2";

export function EntryRow({ place, row: { entry, isGone }, view, isInbox }: EntryRowProps) {
  const { list, selection, removing, lapsing } = view;
  const isRemoving = removing.has(entry.address);
  const isPicked = isSelected(selection, entry.address);
  const isGoing = isRemoving || isGone;
  return (
    <Tr
      aria-rowindex={place + 2}
      isSelected={isPicked}
      isDimmed={isGoing || (isInbox && isLapsing(lapsing, entry))}
      style={{ height: heights.row }}
    >
      <Td className="pr-1 pl-2.5">
        <PickBox
          isPicked={isPicked}
          label={`Select ${entry.address}`}
          onPick={(hasShift) => view.onPick(entry, place, hasShift)}
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
      <Td className={classes(cell, isInbox ? "max-xl:hidden" : "max-lg:hidden")}>
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
      <Td className={classes(cell, "max-xl:hidden")}>
        <LastCell entry={entry} view={view} />
      </Td>
      <Td className="pr-2 pl-1 text-right">{!isRemoving && <Acts {...{ entry, view, isInbox }} />}</Td>
    </Tr>
  );
}

type PartProps = Pick<EntryRowProps, "view"> & { readonly entry: HeldRow["entry"] };

function LastCell({ entry, view }: PartProps) {
  if (view.url.facet !== "expiring") return <Source via={entry.via} />;
  const count = view.listedBefore.get(entry.address);
  if (count === undefined) return <span className="text-text-3">see history</span>;
  return count === 0 ? (
    <span className="text-text-3">never</span>
  ) : (
    `${count} ${count === 1 ? "time" : "times"}`
  );
}

export function Acts({ entry, view, isInbox }: PartProps & { isInbox: boolean }) {
  return (
    <span className="inline-flex items-center justify-end gap-1">
      {isInbox && entry.expiresAt !== null && (
        <LapseActions
          entry={entry}
          isLapsing={isLapsing(view.lapsing, entry)}
          mayForever={view.mayForever}
          onExtend={view.onExtend}
          onLapse={view.onLapse}
        />
      )}
      <RowMenu {...view} entry={entry} />
    </span>
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
      <Td className="max-lg:hidden">
        <Skeleton className="h-3 w-28" />
      </Td>
      <Td className="max-lg:hidden">
        <Skeleton className="h-3 w-14" />
      </Td>
      <Td>
        <Skeleton className="h-3 w-20" />
      </Td>
      <Td className="max-xl:hidden" />
      <Td />
    </Tr>
  );
}
