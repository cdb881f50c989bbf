import { edgeLimited } from "@/lib/queries/edge.ts";

/** How many rows one read fetches. */
export const rowsAtOnce = 100;

interface Window {
  readonly from: number;
  readonly to: number;
}

export const firstWindow: Window = { from: 0, to: rowsAtOnce };

/** Clients denied at the edge that match the search. */
export const limitedRead = (q: string, window: Window = firstWindow) => edgeLimited({ q, ...window });
