import { type PointerEvent, useEffectEvent, useLayoutEffect, useState } from "react";
import type { Plot, TimeSpan } from "./plot.ts";

/** Minimum length of a drag, in px. A shorter one is a click. */
const leastDrag = 6;

interface Steps {
  /** Time between two points of the chart. */
  readonly stepMs: number;
}

/** Minimum number of points of a zoomed chart. */
const leastPoints = 6;

/**
 * Span that a drag selects, in whole steps and at least a minimum. Undefined for a click.
 * @param start time at which the drag started
 * @param x current position in px
 */
export function draggedSpan(plot: Plot, { stepMs }: Steps, start: number, x: number): TimeSpan | undefined {
  if (Math.abs(plot.x(start) - Math.min(plot.right, Math.max(plot.left, x))) < leastDrag) return undefined;
  const [first, last] = [start, plot.at(x)].toSorted((a, b) => a - b);
  return widened(
    {
      from: Math.floor((first ?? 0) / stepMs) * stepMs,
      until: Math.ceil((last ?? 0) / stepMs) * stepMs,
    },
    { stepMs, whole: plot },
  );
}

interface Bounds extends Steps {
  /** Everything that the chart can show. */
  readonly whole: TimeSpan;
}

/** Newer half of the span. */
export function zoomedIn(span: TimeSpan, bounds: Bounds): TimeSpan {
  const length = Math.max((span.until - span.from) / 2, leastPoints * bounds.stepMs);
  return within({ from: span.until - length, until: span.until }, bounds.whole);
}

/** Twice the span. Undefined for everything. */
export function zoomedOut(span: TimeSpan, { whole }: Pick<Bounds, "whole">): TimeSpan | undefined {
  const quarter = (span.until - span.from) / 2;
  const wide = within({ from: span.from - quarter, until: span.until + quarter }, whole);
  return wide.from <= whole.from && wide.until >= whole.until ? undefined : wide;
}

/** Span moved by half its length, within the bounds. */
export function shifted(span: TimeSpan, { whole }: Pick<Bounds, "whole">, direction: 1 | -1): TimeSpan {
  const by = (direction * (span.until - span.from)) / 2;
  return within({ from: span.from + by, until: span.until + by }, whole);
}

function widened({ from, until }: TimeSpan, { stepMs, whole }: Bounds): TimeSpan {
  const missing = leastPoints * stepMs - (until - from);
  if (missing <= 0) return within({ from, until }, whole);
  const before = Math.floor(missing / 2 / stepMs) * stepMs;
  return within({ from: from - before, until: until + missing - before }, whole);
}

/** Span moved into the bounds. Keeps its length if possible. */
function within({ from, until }: TimeSpan, whole: TimeSpan): TimeSpan {
  const length = Math.min(until - from, whole.until - whole.from);
  const start = Math.max(whole.from, Math.min(from, whole.until - length));
  return { from: start, until: start + length };
}

export interface Zoom {
  /** Shown part. Undefined for everything. */
  readonly span: TimeSpan | undefined;
  /** Everything that the chart can show. */
  readonly whole: TimeSpan;
  onChange(span: TimeSpan | undefined): void;
}

interface Drag {
  /** Start as a time, because the chart may move during the drag. */
  readonly start: number;
  readonly x: number;
}

/** A drag along the time axis selects a span to zoom to. Escape cancels the drag, or resets the zoom. */
export function useDragZoom(plot: Plot, stepMs: number, zoom: Zoom | undefined) {
  const [drag, setDrag] = useState<Drag>();
  const dragged = drag && draggedSpan(plot, { stepMs }, drag.start, drag.x);
  useEscape(zoom !== undefined && (drag !== undefined || zoom.span !== undefined), () => {
    if (drag) setDrag(undefined);
    else zoom?.onChange(undefined);
  });
  if (!zoom) return { dragged: undefined, handlers: {} };
  return {
    dragged,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        const isLink = event.target instanceof Element && event.target.closest("a, button") !== null;
        const x = placeOf(event);
        if (isLink || !event.isPrimary || event.button !== 0 || x < plot.left || x > plot.right) return;
        setDrag({ start: plot.at(x), x });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (!drag) return;
        // The button was released outside of the chart.
        if (event.buttons === 0) return setDrag(undefined);
        const { currentTarget, pointerId } = event;
        if (dragged && !currentTarget.hasPointerCapture(pointerId))
          currentTarget.setPointerCapture(pointerId);
        setDrag({ ...drag, x: placeOf(event) });
      },
      onPointerUp() {
        setDrag(undefined);
        if (dragged) zoom.onChange(dragged);
      },
      onPointerCancel: () => setDrag(undefined),
    },
  };
}

function placeOf({ currentTarget, clientX }: PointerEvent<HTMLElement>): number {
  return clientX - currentTarget.getBoundingClientRect().left;
}

/** Elements that handle Escape before the chart. */
const layers = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox], input, textarea, select";

function useEscape(isOn: boolean, run: () => void): void {
  const onEscape = useEffectEvent(run);
  // Before the page is painted: a person who sees the zoom may press the key.
  useLayoutEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const isTaken = event.target instanceof Element && event.target.closest(layers) !== null;
      if (event.key !== "Escape" || event.defaultPrevented || isTaken) return;
      event.preventDefault();
      onEscape();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [isOn]);
}
