import type { PointerEvent, ReactNode, RefObject } from "react";
import type { Marker, OffSpan } from "@/lib/queries/markers.ts";
import { placeChanges } from "./change-layout.ts";
import { ChangeLines, ChangeLinks } from "./change-marks.tsx";
import type { Gap } from "./missing.ts";
import { MissingAreas } from "./missing-areas.tsx";
import { OffBands } from "./off-bands.tsx";
import type { Plot, TimeSpan } from "./plot.ts";
import { PlotAxes } from "./plot-axes.tsx";
import { ZoomSelection, ZoomTip } from "./zoom-selection.tsx";

interface TimeFrameProps {
  frame: RefObject<HTMLDivElement | null>;
  plot: Plot;
  /** Width in px. */
  width: number;
  height: number;
  /** Ticks of the value axis. */
  ticks: readonly number[];
  markers: readonly Marker[];
  off: readonly OffSpan[];
  gaps: readonly Gap[];
  /** Span selected by the current drag. */
  dragged?: TimeSpan | undefined;
  handlers?: Partial<Record<`onPointer${"Down" | "Move" | "Up" | "Cancel" | "Leave"}`, Handler>>;
  /** Content between the axes and the marks. */
  children: ReactNode;
}

type Handler = (event: PointerEvent<HTMLElement>) => void;

/** Axes of a chart over time, with changes, times without protection, and times without data. */
export function TimeFrame(props: TimeFrameProps) {
  const { frame, plot, width, height, ticks, markers, off, gaps, dragged, handlers, children } = props;
  const changes = placeChanges(markers, plot);
  const isDraggable = handlers?.onPointerDown !== undefined;
  return (
    <div
      ref={frame}
      className={`relative h-full tabular-nums ${isDraggable ? "touch-pan-y cursor-crosshair select-none" : ""}`}
      {...handlers}
    >
      <div aria-hidden="true" className="absolute inset-0">
        <Layer width={width} height={height}>
          <PlotAxes {...{ plot, width, ticks }} />
        </Layer>
        {children}
        <Layer width={width} height={height}>
          <MissingAreas {...{ plot, gaps }} />
          <OffBands plot={plot} spans={off} />
          <ChangeLines {...{ plot, changes }} />
          {dragged && <ZoomSelection plot={plot} span={dragged} />}
        </Layer>
        {dragged && <ZoomTip {...{ plot, width }} span={dragged} />}
      </div>
      <ChangeLinks changes={changes} />
    </div>
  );
}

function Layer({ width, height, children }: { width: number; height: number; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      className="pointer-events-none absolute inset-0 overflow-hidden"
    >
      {children}
    </svg>
  );
}
