import type { Cidr, Ip } from "../../ip/parse.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import type { Permission } from "../users/roles.ts";

/** The client or customer that notes are about. */
export type NoteSubject =
  | { readonly kind: "client"; readonly id: Ip | Cidr }
  | { readonly kind: "customer"; readonly id: CustomerId };

export interface WrittenNote {
  readonly text: string;
  readonly by: string;
  /** ISO */
  readonly at: string;
}

export interface Notes {
  /** A number or link in another system. */
  readonly ticket: WrittenNote | undefined;
  /** Newest first. */
  readonly notes: readonly (WrittenNote & { readonly place: number })[];
}

/** With the longest texts, the notes of one client or customer take 50 kB. */
export const mostNotes = 20;
export const longestNote = 500;
export const longestTicket = 200;

export const ticketField = "ticket";
export const notePlaces = Array.from({ length: mostNotes }, (_, i) => i + 1);

export function notesKey({ kind, id }: NoteSubject): string {
  return keys.notes(kind, id);
}

/** The permission that writing about the subject takes. */
export function permissionToNote({ kind }: Pick<NoteSubject, "kind">): Permission {
  return kind === "client" ? "client-notes" : "customer-notes";
}

export async function readNotes(redis: Connection, subject: NoteSubject): Promise<Notes> {
  const fields = await redis.hgetall(notesKey(subject));
  const notes = notePlaces.flatMap((place) => {
    const note = readNote(fields[place]);
    return note ? [{ place, ...note }] : [];
  });
  return {
    ticket: readNote(fields[ticketField]),
    notes: notes.sort((a, b) => (a.at < b.at ? 1 : -1)),
  };
}

export function readNote(text: string | undefined): WrittenNote | undefined {
  const { text: said, by, at } = parseObject(text ?? "") ?? {};
  if (typeof said !== "string" || said === "") return undefined;
  return { text: said, by: String(by ?? ""), at: String(at ?? "") };
}
