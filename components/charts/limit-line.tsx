"use client";

import { MoveVertical } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { countText } from "@/components/ui/value-text.ts";
import { type LimitScale, limitAt, nextLimit, shareOf } from "./limit-scale.ts";

export interface LimitLineProps {
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
