import type { Plot } from "./plot.ts";

/** Start or end of a line along a layer, as a share of the plot's width. */
export interface EdgeStop {
  readonly offset: number;
  readonly isDrawn: boolean;
}

/** Share of the axis. A thinner layer gets no line, which would make it look thicker. */
const leastShare = 0.01;

/** Stops of a gradient that draws the line along a layer only where the layer is thick enough to be seen. */
export function edgeStops(
  values: readonly { readonly at: number; readonly value: number }[],
  plot: Pick<Plot, "from" | "until" | "highest">,
): EdgeStop[] {
  const stops: EdgeStop[] = [];
  let isDrawn = false;
  for (const { at, value } of values) {
    const isSeen = value >= plot.highest * leastShare;
    if (isSeen === isDrawn) continue;
    const offset = Math.min(1, Math.max(0, (at - plot.from) / (plot.until - plot.from)));
    stops.push({ offset, isDrawn }, { offset, isDrawn: isSeen });
    isDrawn = isSeen;
  }
  return stops;
}
