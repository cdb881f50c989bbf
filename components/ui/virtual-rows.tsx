"use client";

import {
  type FocusEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { Tr, type TrProps } from "./data-table.tsx";
import {
  drawnHeight,
  follow,
  type List,
  type Place,
  type Reach,
  type RowWindow,
  rest,
  start,
  windowOf,
} from "./row-window.ts";

interface VirtualRow extends Omit<TrProps, "children" | "aria-rowindex"> {
  /** `Td` elements of the row. */
  cells: ReactNode;
}

interface VirtualRowsProps {
  /** Number of all rows, including those not read yet. */
  count: number;
  /** Height of every row, in px. */
  rowHeight: number;
  /** Number of columns of the table. */
  columns: number;
  /** Ref of the frame. */
  scrollRef: RefObject<HTMLDivElement | null>;
  row: (index: number) => VirtualRow;
  /** Called with the drawn rows, so that the caller can read them. */
  onRange?: ((first: number, last: number) => void) | undefined;
}

/**
 * The body of a table of any length, for a TableFrame with a height. Draws only visible rows and the row with the focus.
 * Each row has its number among all rows.
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
      {/* One array, so that a row keeps its element when the window moves. */}
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
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it is focusable.
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
}

/** Index of the row with the event, or -1. ARIA numbers rows from 1, and the head is the first. */
function indexOf({ target }: FocusEvent): number {
  return Number(target.closest("tr")?.getAttribute("aria-rowindex") ?? 1) - 2;
}

const restsAfterMs = 150;
/** Height in px until the frame is measured, and on the server. */
const usualViewport = 800;

/** Rows of a scrolled frame to draw, and their position. */
function useRowWindow(scrollRef: RefObject<HTMLDivElement | null>, list: List): RowWindow {
  const { count, rowHeight } = list;
  const [place, setPlace] = useState(start);
  const [viewport, setViewport] = useState(usualViewport);
  const latest = useRef<Place>(start);
  // Effects run after refs are set, so the frame's ref is set here.
  useEffect(() => {
    const frame = scrollRef.current;
    if (!frame) return;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const move = () => {
      latest.current = follow(latest.current, frame.scrollTop, reachOf(frame, { count, rowHeight }));
      // Draws before the browser paints, so that no gap is visible.
      flushSync(() => setPlace(latest.current));
      clearTimeout(resting);
      resting = setTimeout(settle, restsAfterMs);
    };
    const settle = () => {
      frame.scrollTop = rest(latest.current, reachOf(frame, { count, rowHeight }));
      latest.current = { ...latest.current, scrolled: frame.scrollTop };
      setPlace(latest.current);
    };
    const measured = new ResizeObserver(() => setViewport(frame.clientHeight));
    measured.observe(frame);
    frame.addEventListener("scroll", move, { passive: true });
    return () => {
      clearTimeout(resting);
      measured.disconnect();
      frame.removeEventListener("scroll", move);
    };
  }, [scrollRef, count, rowHeight]);
  return windowOf(list, place, viewport);
}

function reachOf(frame: HTMLElement, list: List): Reach {
  const mostScrolled = frame.scrollHeight - frame.clientHeight;
  const hidden = list.count * list.rowHeight - drawnHeight(list);
  return { mostScrolled, mostOffset: mostScrolled + hidden, viewport: frame.clientHeight };
}
