"use client";

import { Checkbox } from "@/components/ui/checkbox.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Th } from "@/components/ui/data-table.tsx";
import type { Sort } from "@/lib/queries/entries.ts";
import { wordsOf } from "../list-words.ts";
import { placesIn, type RowsView, rowAt } from "../rows/rows-view.ts";
import { headState } from "../selection/selection.ts";
import { EntryRow, SkeletonRow } from "./entry-row.tsx";

interface Column {
  readonly label: string;
  readonly sort?: Sort;
  readonly className: string;
  /** Class where each row has its own buttons, which leave less room. */
  readonly inboxClassName?: string;
}

const columns: readonly Column[] = [
  { label: "IP / CIDR", sort: "address", className: "w-62 pl-1", inboxClassName: "w-48 pl-1" },
  { label: "Reason", sort: "reason", className: "" },
  {
    label: "Added by",
    sort: "by",
    className: "w-46 max-xl:hidden",
    inboxClassName: "w-44 max-[1399px]:hidden",
  },
  { label: "Added", sort: "at", className: "w-26 max-lg:hidden", inboxClassName: "hidden" },
  { label: "Expires in", sort: "expires", className: "w-32" },
];
const lastColumns = {
  plain: { label: "Source", className: "w-32 max-[1399px]:hidden" },
  expiring: { label: "Listed before", className: "w-26 max-xl:hidden" },
} as const;

/** Stays below the page's bar while the rows scroll. */
const sticky = "sm:top-13";

export function EntryTable(view: RowsView) {
  const { list, url, count, space, bodyRef, isChanging, isOld, area } = view;
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
            {columns.map((column) => (
              <Head key={column.label} column={column} view={view} isInbox={isInbox} />
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
          aria-busy={isChanging || undefined}
          className={classes("transition-opacity", isChanging && "opacity-60", isOld && "grayscale")}
          {...area}
        >
          <Gap height={space.before} />
          {placesIn(view).map((place) => {
            const row = rowAt(view, place);
            return row ? <EntryRow key={place} {...row} /> : <SkeletonRow key={place} place={place} />;
          })}
          <Gap height={space.after} />
        </tbody>
      </table>
    </div>
  );
}

function PickAll(view: RowsView) {
  const { rows, selection, onPickAll } = view;
  const seen = placesIn(view).flatMap((place) => rows.get(place)?.row ?? []);
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

interface HeadProps {
  readonly column: Column;
  readonly view: RowsView;
  readonly isInbox: boolean;
}

function Head({ column, view: { url, onSort }, isInbox }: HeadProps) {
  const { label, sort, className, inboxClassName = className } = column;
  const direction = url.dir === "asc" ? "ascending" : "descending";
  return (
    <Th
      className={classes(sticky, isInbox ? inboxClassName : className)}
      {...(sort && { onSort: () => onSort(sort) })}
      {...(sort === url.sort && { sort: direction })}
    >
      {label}
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
