import { usePlotArea, useXAxisScale } from "recharts";
import type { Marker } from "../../lib/queries/markers.ts";
import { ChangeMarks } from "./change-marks.tsx";

/** What people changed, in a chart of Recharts with times on its x axis. */
export function ChangeLines({ markers }: { markers: readonly Marker[] }) {
  const plot = usePlotArea();
  const x = useXAxisScale();
  if (!plot || !x) return null;
  const { x: left, y: top, width, height } = plot;
  const place = (at: number) => x(at) ?? undefined;
  return <ChangeMarks {...{ markers, left, top }} right={left + width} bottom={top + height} x={place} />;
}
