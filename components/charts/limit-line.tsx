"use client";

import { MoveVertical } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { countText } from "@/components/ui/value-text.ts";

interface LimitLineProps {
  scale: LimitScale;
  /** Height of the plot in px. */
  height: number;
  limit: number;
  per: string;
  text: (limit: number) => string;
  onChange: (limit: number) => void;
}

/** Limit line. It is dragged, or moved with keys. */
export function LimitLine({ scale, height, limit, per, text, onChange }: LimitLineProps) {
  const plot = useRef<HTMLDivElement>(null);
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!plot.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { bottom } = plot.current.getBoundingClientRect();
    onChange(limitAt(scale, (bottom - event.clientY) / height));
  };
  const press = (event: KeyboardEvent) => {
    const next = limitByKey(event, limit, scale);
    if (next === undefined) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div ref={plot} className="pointer-events-none absolute inset-0">
      <div
        role="slider"
        tabIndex={0}
        aria-label="Limit"
        aria-orientation="vertical"
        aria-valuemin={1}
        aria-valuemax={Math.max(limit, Math.round(scale.high))}
        aria-valuenow={limit}
        aria-valuetext={text(limit)}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          event.currentTarget.focus();
        }}
        onPointerMove={drag}
        className="group pointer-events-auto absolute inset-x-0 flex h-7 translate-y-1/2 cursor-ns-resize touch-none items-center justify-end rounded-control pr-2 max-sm:h-11"
        style={{ bottom: shareOf(scale, limit) * height }}
      >
        <span className="absolute inset-x-0 top-1/2 -mt-px h-0.5 bg-text" />
        <span className="relative flex h-7 items-center gap-2 rounded-control bg-inv px-2.5 text-cell font-semibold whitespace-nowrap text-inv-text">
          <MoveVertical className="size-3.5" />
          {countText(limit)} {per}
        </span>
      </div>
    </div>
  );
}

function limitByKey({ key, shiftKey }: KeyboardEvent, limit: number, scale: LimitScale): number | undefined {
  if (key === "ArrowUp" || key === "ArrowRight") return nextLimit(limit, 1, shiftKey);
  if (key === "ArrowDown" || key === "ArrowLeft") return nextLimit(limit, -1, shiftKey);
  if (key === "PageUp") return nextLimit(limit, 1, true);
  if (key === "PageDown") return nextLimit(limit, -1, true);
  if (key === "Home") return limitAt(scale, 0);
  return key === "End" ? limitAt(scale, 1) : undefined;
}

/** A logarithmic scale. */
interface LimitScale {
  readonly low: number;
  readonly high: number;
}

/** Scale with all peaks and the limit in force, and some space at both ends. */
export function limitScale(peaks: readonly number[], limit: number): LimitScale {
  const all = [...peaks, limit].filter((one) => one > 0);
  const low = Math.max(0.8, Math.min(...all) * 0.7);
  return { low, high: Math.max(low * 10, Math.max(...all) * 1.6) };
}

/** Position of a value, from 0 at the bottom to 1 at the top. */
export function shareOf({ low, high }: LimitScale, value: number): number {
  return clamp(Math.log(Math.max(value, low) / low) / Math.log(high / low), 0, 1);
}

/** Round limit at a height: two digits, then zeros. */
export function limitAt({ low, high }: LimitScale, share: number): number {
  return twoDigits(low * (high / low) ** clamp(share, 0, 1));
}

/** 1, 3, 10, 30 … within the scale. Only powers of ten if there are many. */
export function ticksOf({ low, high }: LimitScale): number[] {
  const tens = Array.from({ length: 13 }, (_, power) => 10 ** power);
  const within = (ticks: number[]) => ticks.filter((tick) => tick >= low && tick <= high);
  const all = within(tens.flatMap((ten) => [ten, 3 * ten]));
  return all.length > 5 ? within(tens) : all;
}

/** Limit after a key press: about 5 % away, at least one step. */
export function nextLimit(limit: number, direction: 1 | -1, isLarge: boolean): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, limit))) - 1) * (isLarge ? 10 : 1);
  const next =
    direction === 1 ? Math.floor(limit / step) * step + step : Math.ceil(limit / step) * step - step;
  return Math.max(1, next);
}

function twoDigits(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.max(1, Math.round(value / step) * step);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
