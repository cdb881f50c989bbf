import { type PointerEvent, useEffectEvent, useLayoutEffect, useState } from "react";
import type { Plot, TimeSpan } from "./plot.ts";
import { draggedSpan } from "./zoom.ts";

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
