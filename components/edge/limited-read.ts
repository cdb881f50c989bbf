import { edgeLimited } from "@/lib/queries/edge.ts";

/** How many rows one read fetches. */
export const rowsAtOnce = 100;

export const firstWindow = { from: 0, to: rowsAtOnce };

/** Clients denied at the edge that match the search. */
export const limitedRead = (q: string, window = firstWindow) => edgeLimited({ q, ...window });

const longestSearch = 200;

/** What is searched for. */
export function readSearch(given: Pick<URLSearchParams, "get">): string {
  return (given.get("q") ?? "").trim().slice(0, longestSearch);
}
