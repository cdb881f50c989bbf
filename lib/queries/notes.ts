import * as z from "zod/mini";
import { query } from "./query.ts";

const written = z.object({
  text: z.string(),
  by: z.string(),
  /** ISO; "" if it is unknown. */
  at: z.string(),
});

const notesReply = z.object({
  ticket: z.nullable(written),
  /** Newest first. */
  notes: z.array(z.extend(written, { place: z.number() })),
});
export type NotesReply = z.output<typeof notesReply>;

/** The client or customer that notes are about, as a page names it. */
export interface NotesOf {
  readonly kind: "client" | "customer";
  readonly id: string;
}

/** Notes and the ticket of a client or customer. */
export const notes = ({ kind, id }: NotesOf) =>
  query(["notes", kind, id], `/api/notes/${kind}/${encodeURIComponent(id)}`, notesReply);
