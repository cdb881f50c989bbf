import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import {
  longestNote,
  longestTicket,
  mostNotes,
  type NoteSubject,
  notePlaces,
  notesKey,
  readNote,
  ticketField,
} from "./notes.ts";

/** Adds a note to a client or customer. Of more than twenty, the oldest goes; the audit log keeps it. */
export async function addNote(
  ctx: Signed,
  { text, ...subject }: NoteSubject & { readonly text: string },
): Promise<void> {
  const value = noteText(text, longestNote, "A note");
  if (value === "") throw new DomainError("bad-input", "Enter a note.", { text: "Enter a note" });
  const slots = notePlaces.map((place) => slotOf(subject, String(place)));
  await commit(ctx, {
    ...{ action: "note.add", reason: "", slots },
    decide({ now, slots }) {
      const times = slots.map(({ value }) => readNote(value)?.at ?? "");
      const slot = times.reduce((oldest, time, i) => (time < at(times, oldest) ? i : oldest), 0);
      return { writes: [{ slot, to: { value: written(ctx, value, now), expiresAt: null } }] };
    },
  });
}

/** Removes a note, if it still is the one that was read. */
export async function removeNote(
  ctx: Signed,
  { place, written, ...subject }: NoteSubject & { readonly place: number; readonly written: string },
): Promise<void> {
  if (!Number.isInteger(place) || place < 1 || place > mostNotes)
    throw new DomainError("bad-input", "There is no such note.");
  await commit(ctx, {
    ...{ action: "note.remove", reason: "", slots: [slotOf(subject, String(place))] },
    decide({ slots }) {
      if (readNote(at(slots, 0).value)?.at !== written)
        throw new DomainError("not-found", "This note is gone. Someone may have removed it.");
      return { writes: [{ slot: 0, to: null }] };
    },
  });
}

/** Sets the ticket of a client or customer. An empty text removes it. */
export async function setTicket(
  ctx: Signed,
  { text, ...subject }: NoteSubject & { readonly text: string },
): Promise<void> {
  const value = noteText(text, longestTicket, "A ticket");
  await commit(ctx, {
    ...{ action: "note.ticket", reason: "", slots: [slotOf(subject, ticketField)] },
    decide({ now, slots }) {
      if ((readNote(at(slots, 0).value)?.text ?? "") === value) return { writes: [] };
      const to = value === "" ? null : { value: written(ctx, value, now), expiresAt: null };
      return { writes: [{ slot: 0, to }] };
    },
  });
}

function slotOf(subject: NoteSubject, field: string) {
  return { key: notesKey(subject), field, target: subject.id };
}

function written({ actor }: Signed, text: string, now: number): string {
  return JSON.stringify({ text, by: actor.name, at: new Date(now).toISOString() });
}

function noteText(text: string, longest: number, what: string): string {
  const trimmed = text.trim();
  const problem =
    trimmed.length > longest
      ? `${what} has at most ${longest} characters, this one ${trimmed.length}`
      : // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach terminals and logs.
        /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(trimmed)
        ? `${what} has no control characters`
        : undefined;
  if (problem === undefined) return trimmed;
  throw new DomainError("bad-input", `${problem}.`, { text: problem });
}
