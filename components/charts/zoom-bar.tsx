import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/components/ui/button.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { durationText, spanText } from "@/components/ui/value-text.ts";
import type { TimeSpan } from "./plot.ts";
import { shifted, type Zoom, zoomedIn, zoomedOut } from "./zoom.ts";

interface ZoomBarProps {
  zoom: Zoom;
  /** Shown span. */
  shown: TimeSpan;
  stepMs: number;
}

/** Buttons to zoom and move without dragging, and to reset. */
export function ZoomBar({ zoom: { span, whole, onChange }, shown, stepMs }: ZoomBarProps) {
  const zoomIn = useRef<HTMLButtonElement>(null);
  const reset = () => {
    // The focused button is about to be removed.
    zoomIn.current?.focus();
    onChange(undefined);
  };
  return (
    <fieldset
      aria-label="Zoom"
      className="flex min-h-6 flex-wrap items-center justify-end gap-1 text-meta text-text-3 sm:absolute sm:right-0 sm:-top-0.5"
    >
      <span aria-live="polite" className="mr-1 tabular-nums">
        {span ? (
          <span className="font-medium text-text">
            {spanText(span)} · {durationText(span.until - span.from)}
          </span>
        ) : (
          <span className="max-sm:sr-only">Drag to zoom</span>
        )}
      </span>
      {span && (
        <>
          <IconButton
            label="Earlier"
            size="sm"
            icon={<ChevronLeft />}
            disabled={span.from <= whole.from}
            onClick={() => onChange(shifted(span, { whole }, -1))}
          />
          <IconButton
            label="Later"
            size="sm"
            icon={<ChevronRight />}
            disabled={span.until >= whole.until}
            onClick={() => onChange(shifted(span, { whole }, 1))}
          />
          <IconButton
            label="Zoom out"
            size="sm"
            icon={<ZoomOut />}
            onClick={() => onChange(zoomedOut(span, { whole }))}
          />
        </>
      )}
      <IconButton
        ref={zoomIn}
        label="Zoom in"
        size="sm"
        icon={<ZoomIn />}
        onClick={() => onChange(zoomedIn(shown, { stepMs, whole: shown }))}
      />
      {span && (
        <Button size="sm" icon={<X />} kbd="Esc" onClick={reset}>
          Reset zoom
        </Button>
      )}
    </fieldset>
  );
}
