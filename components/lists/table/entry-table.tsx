import { memo } from "react";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Countdown } from "@/components/ui/countdown.tsx";
import { Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Sort } from "@/lib/queries/entries.ts";
import { wordsOf } from "../list-words.ts";
import { drawnPlaces, heights, placesIn, type RowProps, type RowsView } from "../rows/rows-view.ts";
import { headState } from "../selection/selection.ts";
import { EntryTags } from "../tags/entry-tags.tsx";
import {
  AddedAt,
  AddedBy,
  ConflictBadge,
  EntryAddress,
  Hits,
  PickBox,
  Reason,
  Source,
} from "./entry-cells.tsx";
import { LapseActions, RowMenu } from "./row-menu.tsx";

interface Column {
  readonly label: string;
  readonly sort: Sort;
  readonly className: string;
  /** Class where each row has its own buttons, which leave less room. */
  readonly inboxClassName?: string;
  /** Width of the placeholder of a row that is loading. */
  readonly skeleton: string;
  readonly isNumber?: boolean;
}

const columns: readonly Column[] = [
  {
    ...{ label: "IP / CIDR", sort: "address", skeleton: "w-28" },
    ...{ className: "w-62 pl-1", inboxClassName: "w-48 pl-1" },
  },
  { label: "Reason", sort: "reason", skeleton: "w-40 max-w-full", className: "" },
  {
    ...{ label: "Added by", sort: "by", skeleton: "w-28" },
    ...{ className: "w-40 max-xl:hidden min-[1400px]:w-46", inboxClassName: "w-44 max-2xl:hidden" },
  },
  {
    label: "Hits, 1 h",
    sort: "hits",
    skeleton: "ml-auto w-20",
    className: "w-40 xl:w-32 min-[1400px]:w-44",
    inboxClassName: "w-32",
    isNumber: true,
  },
  {
    ...{ label: "Added", sort: "at", skeleton: "w-14" },
    ...{ className: "w-26 max-lg:hidden", inboxClassName: "hidden" },
  },
  { label: "Expires in", sort: "expires", skeleton: "w-20", className: "w-32" },
];
const lastColumns = {
  plain: { label: "Source", className: "w-32 max-[1399px]:hidden" },
  expiring: { label: "Listed before", className: "w-26 max-xl:hidden" },
} as const;

/** Stays below the page's bar while the rows scroll. */
const sticky = "sm:top-13";

export function EntryTable(view: RowsView) {
  const { list, url, rows, space, bodyRef, onSort } = view;
  const { read, count } = rows;
  const direction = url.dir === "asc" ? "ascending" : "descending";
  const isInbox = url.facet === "expiring" && view.mayChange;
  const last = url.facet === "expiring" ? lastColumns.expiring : lastColumns.plain;
  return (
    <div className="min-w-0 rounded-card border border-border bg-surface">
      <table
        aria-label={wordsOf[list].title}
        aria-rowcount={count + 1}
        className="w-full table-fixed border-separate border-spacing-0 text-cell"
      >
        <thead>
          <tr aria-rowindex={1}>
            <PickAll {...view} />
            {columns.map(({ label, sort, className, inboxClassName = className, isNumber = false }) => (
              <Th
                key={label}
                className={classes(sticky, isInbox ? inboxClassName : className)}
                onSort={() => onSort(sort)}
                isNumber={isNumber}
                {...(sort === url.sort && { sort: direction })}
              >
                {label}
              </Th>
            ))}
            <Th className={classes(sticky, last.className)}>{last.label}</Th>
            <Th isLabelHidden className={classes(sticky, "rounded-tr-card", isInbox ? "w-74" : "w-12")}>
              Actions
            </Th>
          </tr>
        </thead>
        <tbody
          ref={(body) => {
            bodyRef.current = body;
          }}
          aria-busy={read.isPlaceholderData || undefined}
          className={classes((read.isPlaceholderData || read.error) && "grayscale")}
          {...rows.area}
        >
          <Gap height={space.before} />
          {drawnPlaces(view).map(({ place, key, row }) =>
            row ? <EntryRow key={key} {...row} /> : <SkeletonRow key={key} place={place} />,
          )}
          <Gap height={space.after} />
        </tbody>
      </table>
    </div>
  );
}

function PickAll(view: RowsView) {
  const { rows, span, selection, onPickAll } = view;
  const seen = placesIn(span, rows.count).flatMap((place) => rows.rows.get(place)?.row ?? []);
  return (
    <Th className={classes(sticky, "w-11 rounded-tl-card pr-1 pl-2.5")}>
      <Checkbox
        checked={headState(selection, seen)}
        onChange={() => onPickAll(seen)}
        label="Select the visible rows"
        isLabelHidden
      />
    </Th>
  );
}

/** Space for rows that are not drawn. One cell, because the number of columns depends on the window. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it is focusable.
    <tr aria-hidden="true">
      <td style={{ height }} className="p-0" />
    </tr>
  );
}

const cell = "overflow-hidden whitespace-nowrap text-text-2";

/** One row. It is drawn again only when it changes: most rows do not change while scrolling. */
const EntryRow = memo(function EntryRow(row: RowProps) {
  const { place, entry, isGone, isPicked, isRemoving, isExpiring, mayChange } = row;
  const isInbox = isExpiring && mayChange;
  const isGoing = isRemoving || isGone;
  return (
    <Tr aria-rowindex={place + 2} isSelected={isPicked} isDimmed={isGoing} style={{ height: heights.row }}>
      <Td className="pr-1 pl-2.5">
        <PickBox {...row} />
      </Td>
      <Td className={classes(cell, "pl-1 text-text")}>
        <EntryAddress {...row} />
      </Td>
      <Td className={classes(cell, "text-text")}>
        <span className="flex min-w-0 items-center gap-2">
          <ConflictBadge {...row} />
          <span className="flex min-w-0 flex-col leading-tight">
            <Reason text={entry.reason} />
            <EntryTags tags={entry.tags} />
          </span>
        </span>
      </Td>
      <Td className={classes(cell, isInbox ? "max-2xl:hidden" : "max-xl:hidden")}>
        <AddedBy entry={entry} />
      </Td>
      <Td className={cell}>
        <Hits hits={entry.hits} hasChart={!isInbox} />
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

function SkeletonRow({ place }: { place: number }) {
  return (
    <Tr aria-rowindex={place + 2} style={{ height: heights.row }}>
      <Td />
      {columns.map(({ label, className, skeleton }) => (
        <Td key={label} className={className}>
          <Skeleton className={`h-3 ${skeleton}`} />
        </Td>
      ))}
      <Td className={lastColumns.plain.className} />
      <Td />
    </Tr>
  );
}
