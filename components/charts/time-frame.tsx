import { type PointerEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { shortCount } from "@/components/ui/value-text.ts";
import type { Marker, OffSpan } from "@/lib/queries/markers.ts";
import { placeChanges } from "./change-layout.ts";
import { ChangeLines, ChangeLinks } from "./change-marks.tsx";
import type { Gap } from "./missing.ts";
import type { Plot, TimeSpan } from "./plot.ts";
import { textWidth } from "./text-width.ts";
import { timeTicks } from "./ticks.ts";
import { MissingAreas, OffBands, ZoomSelection, ZoomTip } from "./time-bands.tsx";

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
  /** Lines across the plot, above the times without data, and their heights in px. */
  lines?: { readonly heights: readonly number[]; readonly content: ReactNode };
}

type Handler = (event: PointerEvent<HTMLElement>) => void;

/** Axes of a chart over time, with changes, times without protection, and times without data. */
export function TimeFrame(props: TimeFrameProps) {
  const { frame, plot, width, height, ticks, markers, off, gaps, dragged, handlers, children, lines } = props;
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
          <MissingAreas {...{ plot, gaps }} lines={lines?.heights ?? []} />
          {lines?.content}
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

interface PlotAxesProps {
  plot: Plot;
  /** Width of the frame in px. */
  width: number;
  /** Ticks of the value axis. */
  ticks: readonly number[];
}

/** A time label begins this far left of the plot at most: the value 0 is beside it. */
const beforeTimes = 4;

/** Gridlines with their values, and round times below. */
function PlotAxes({ plot, width, ticks }: PlotAxesProps) {
  const { left, right, bottom, from, until } = plot;
  const times = timeTicks({ from, until, width: right - left });
  return (
    <g fontSize={11} fill="var(--text-3)">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={plot.y(tick)} y2={plot.y(tick)} stroke="var(--grid)" />
          <text data-axis="value" x={left - 6} y={plot.y(tick) + 4} textAnchor="end">
            {shortCount(tick)}
          </text>
        </g>
      ))}
      {times.map(({ at, text }) => {
        const half = textWidth(text) / 2;
        return (
          <g key={at}>
            <line x1={plot.x(at)} x2={plot.x(at)} y1={bottom} y2={bottom + 4} stroke="var(--border-2)" />
            {plot.x(at) + half <= width && plot.x(at) - half >= left - beforeTimes && (
              <text data-axis="time" x={plot.x(at)} y={bottom + 17} textAnchor="middle">
                {text}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

interface Size {
  /** Width in px. */
  readonly width: number;
  readonly height: number;
}

const usual: Size = { width: 640, height: 256 };

/** Current size of an element. It is known before the element is painted. */
export function useSize(): [RefObject<HTMLDivElement | null>, Size] {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(usual);
  useLayoutEffect(() => {
    if (!frame.current) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    setSize({ width, height });
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, size];
}
