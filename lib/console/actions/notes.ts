"use server";

import { z } from "zod";
import { linkSubjects } from "../../manage/links/link-template.ts";
import { removeLink as dropLink, setLink as putLink } from "../../manage/links/set-link.ts";
import { permissionToNote } from "../../manage/notes/notes.ts";
import {
  addNote as add,
  removeNote as remove,
  setTicket as setTicketOf,
} from "../../manage/notes/write-notes.ts";
import { action } from "../action.ts";
import { noteSubject } from "../clients/note-reads.ts";

const about = { kind: z.enum(["client", "customer"]), id: z.string().max(100) };
const text = z.string().max(10_000);
const needs = { least: "read", of: permissionToNote } as const;

export const addNote = action({
  ...{ name: "note.add", needs },
  input: z.object({ ...about, text }),
  async run(ctx, { text, ...subject }) {
    await add(ctx, { ...noteSubject(subject), text });
    return {};
  },
});

/** `written` tells the note from a later one in its place. */
export const removeNote = action({
  ...{ name: "note.remove", needs },
  input: z.object({ ...about, place: z.number().int(), written: z.string().max(100) }),
  async run(ctx, { place, written, ...subject }) {
    await remove(ctx, { ...noteSubject(subject), place, written });
    return {};
  },
});

export const setTicket = action({
  ...{ name: "note.ticket", needs },
  input: z.object({ ...about, text }),
  async run(ctx, { text, ...subject }) {
    await setTicketOf(ctx, { ...noteSubject(subject), text });
    return {};
  },
});

const link = { kind: z.enum(linkSubjects), name: z.string().max(200) };

export const setLink = action({
  ...{ name: "link.set", needs: "links" },
  input: z.object({ ...link, template: z.string().max(2_000) }),
  run: (ctx, input) => putLink(ctx, input),
});

export const removeLink = action({
  ...{ name: "link.remove", needs: "links" },
  input: z.object(link),
  async run(ctx, input) {
    await dropLink(ctx, input);
    return {};
  },
});
