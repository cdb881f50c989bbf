import * as z from "zod/mini";
import { query, withParameters } from "./query.ts";

/** A change, to be marked on charts at its time. */
export const marker = z.object({
  at: z.number(),
  n: z.number(),
  actor: z.string(),
  action: z.string(),
  /** The sentence after the actor: "blocked 203.0.113.9 for 1 week". */
  text: z.string(),
  /** The same in two or three words: "mode off", "blocked 3". */
  short: z.string(),
});
export type Marker = z.output<typeof marker>;

/** A time in which the mode was off, in ms. Null while it is. */
export const offSpan = z.object({
  from: z.number(),
  until: z.nullable(z.number()),
  /** It began before `from`, at an unknown time. */
  isEarlier: z.boolean(),
});
export type OffSpan = z.output<typeof offSpan>;

const reply = z.object({ markers: z.array(marker), off: z.array(offSpan) });

interface MarkersParameters {
  /** How far back, at most seven days. */
  readonly seconds: number;
  /** An address or range: its changes, and those for all clients. */
  readonly client?: string | undefined;
  /** A customer: the same. */
  readonly customer?: string | undefined;
}

/** Recent changes, the newest first, for charts with a time axis. */
export const markers = (wanted: MarkersParameters) =>
  query(["markers", wanted], withParameters("/api/markers", { ...wanted }), reply);
