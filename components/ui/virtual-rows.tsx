"use client";

import {
  type FocusEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useState,
} from "react";
import { Tr, type TrProps } from "./data-table.tsx";
import { useRowWindow } from "./use-row-window.ts";

export interface VirtualRow extends Omit<TrProps, "children" | "aria-rowindex"> {
  /** Its Tds. */
  cells: ReactNode;
}

export interface VirtualRowsProps {
  /** All rows there are, also those that were not read yet. */
  count: number;
  /** In px; every row is of this height. */
  rowHeight: number;
  /** How many columns the table has. */
  columns: number;
  /** The frame's. */
  scrollRef: RefObject<HTMLDivElement | null>;
  row: (index: number) => VirtualRow;
  /** Which rows are drawn, so that they can be read. */
  onRange?: ((first: number, last: number) => void) | undefined;
}

/**
 * The body of a table of any length, for a TableFrame with a height. Only what is on screen is drawn, rows say which of
 * all they are, and the row that holds the focus stays.
 */
export function VirtualRows({ count, rowHeight, columns, scrollRef, row, onRange }: VirtualRowsProps) {
  const { first, last, before, after, raised } = useRowWindow(scrollRef, { count, rowHeight });
  const [held, setHeld] = useState(-1);
  useEffect(() => {
    if (last >= first) onRange?.(first, last);
  }, [first, last, onRange]);

  const draw = (index: number) => {
    const { cells, style, ...rest } = row(index);
    return (
      <Tr key={index} {...rest} aria-rowindex={index + 2} style={{ ...style, height: rowHeight }}>
        {cells}
      </Tr>
    );
  };
  const gap = (name: string, height: number) => <Gap key={name} height={height} columns={columns} />;
  const isAbove = held >= 0 && held < first && (held + 1) * rowHeight <= before;
  const isBelow = held > last && held < count && after >= rowHeight;
  const above = isAbove ? [gap("above", held * rowHeight), draw(held)] : [];
  const below = isBelow ? [draw(held)] : [];
  return (
    <tbody
      onFocus={(event) => setHeld(indexOf(event))}
      onBlur={() => setHeld(-1)}
      {...(raised > 0 && { style: { transform: `translateY(${-raised}px)` } })}
    >
      {/* One array, so that a row stays the same element when the window moves away from it. */}
      {[
        ...above,
        gap("before", isAbove ? before - (held + 1) * rowHeight : before),
        ...range(first, last).map(draw),
        gap("after", isBelow ? after - rowHeight : after),
        ...below,
      ]}
    </tbody>
  );
}

function Gap({ height, columns }: { height: number; columns: number }): ReactElement | null {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
}

/** Rows are numbered from 1, and the first is the head. -1: no row. */
function indexOf({ target }: FocusEvent): number {
  return Number(target.closest("tr")?.getAttribute("aria-rowindex") ?? 1) - 2;
}
