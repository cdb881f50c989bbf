import type { Marker } from "../../lib/queries/markers.ts";
import { placeChanges } from "./change-layout.ts";

export interface ChangeMarksProps {
  markers: readonly Marker[];
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (at: number) => number | undefined;
}

/** A dashed line at the time of each change, with its words above the plot. */
export function ChangeMarks({ markers, left, right, top, bottom, x }: ChangeMarksProps) {
  return placeChanges(markers, { left, right, x }).map((change) => (
    <g key={change.key}>
      <line
        x1={change.x}
        x2={change.x}
        y1={top - 4}
        y2={bottom}
        stroke="var(--text-3)"
        strokeDasharray="3 3"
      />
      <text
        x={change.x + (change.anchor === "start" ? 4 : -4)}
        y={top - 6}
        textAnchor={change.anchor}
        fontSize={11}
        fill="var(--text-2)"
      >
        {change.label}
      </text>
    </g>
  ));
}
