import { z } from "zod";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { DomainError } from "../../errors.ts";
import { readLinks } from "../../manage/links/links.ts";
import { type NoteSubject, readNotes } from "../../manage/notes/notes.ts";
import { decodedPart, read } from "../read.ts";
import { requireAddress } from "./client-now.ts";

export const getLinks = read("read", z.object({}), async ({ console: { redis } }) => ({
  links: await readLinks(redis),
}));

type NotesParams = { kind: string; id: string };

export const getNotes = read<z.ZodObject, NotesParams>(
  "read",
  z.object({}),
  async ({ console: { redis }, params }) => {
    const subject = noteSubject({ kind: params.kind, id: decodedPart(params.id) });
    const { ticket, notes } = await readNotes(redis, subject);
    return { ticket: ticket ?? null, notes };
  },
);

/** The client or customer that a page or a form names. */
export function noteSubject({ kind, id }: { readonly kind: string; readonly id: string }): NoteSubject {
  if (kind === "client") return { kind, id: requireAddress(id) };
  const customer = parseCustomerId(id);
  if (kind !== "customer") throw new DomainError("bad-input", "Notes are about a client or a customer.");
  if (!customer.ok) throw new DomainError("bad-input", `${customer.reason}.`, { id: customer.reason });
  return { kind, id: customer.value };
}
