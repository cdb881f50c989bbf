import { z } from "zod";
import { query, withParameters } from "./query.ts";

/** A change that somebody made, to be marked on charts at its time. */
export const marker = z.object({
  at: z.number(),
  n: z.number(),
  actor: z.string(),
  action: z.string(),
  /** What follows the actor: "blocked 203.0.113.9 for 1 week". */
  text: z.string(),
});
export type Marker = z.output<typeof marker>;

const reply = z.object({ markers: z.array(marker) });

export interface MarkersWanted {
  /** How far back, at most seven days. */
  readonly seconds: number;
  /** An address or range: what touched it, and what touched everybody. */
  readonly client?: string | undefined;
  /** A customer: the same. */
  readonly customer?: string | undefined;
}

/** What people changed lately, the newest first, for any chart that has a time axis. */
export const markers = (wanted: MarkersWanted) =>
  query(["markers", wanted], withParameters("/api/markers", { ...wanted }), reply);
