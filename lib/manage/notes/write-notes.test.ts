import { expect, it } from "vitest";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { at, ip, testLists } from "../lists/vitest.context.ts";
import { mostNotes, type NoteSubject, readNotes } from "./notes.ts";
import { addNote, removeNote, setTicket } from "./write-notes.ts";

const lists = testLists();
const client = { kind: "client", id: ip("203.0.113.9") } as const;
const read = (subject: NoteSubject = client) => readNotes(lists.ctx().redis, subject);

it("adds notes, the newest first, each with a record", async () => {
  await addNote(lists.ctx(), { ...client, text: " called the provider " });
  await addNote(lists.ctx({ name: "ben@example.org" }), { ...client, text: "keep the block\nuntil Friday" });
  const { notes } = await read();
  expect(notes).toMatchObject([
    { text: "keep the block\nuntil Friday", by: "ben@example.org", at: expect.any(String) },
    { text: "called the provider", by: "ada@example.org" },
  ]);
  expect(await lists.records()).toMatchObject([
    { action: "note.add", change: null, changes: [{ target: "203.0.113.9", before: null }] },
    { action: "note.add" },
  ]);
  await lists.expectSoundChain(2);
});

it("keeps clients, ranges and customers apart", async () => {
  const id = parseCustomerId("203.0.113.9");
  if (!id.ok) throw new Error("not an id");
  const customer = { kind: "customer", id: id.value } as const;
  await addNote(lists.ctx(), { ...customer, text: "pays late" });
  await addNote(lists.ctx(), { kind: "client", id: at("203.0.113.0/24"), text: "a campus" });
  expect((await read(customer)).notes).toMatchObject([{ text: "pays late" }]);
  expect((await read()).notes).toEqual([]);
});

it("keeps a bounded number, and drops the oldest", async () => {
  for (let i = 0; i <= mostNotes; i++) await addNote(lists.ctx(), { ...client, text: `note ${i}` });
  const texts = (await read()).notes.map(({ text }) => text);
  expect(texts).toHaveLength(mostNotes);
  expect(texts).not.toContain("note 0");
  expect(texts).toContain(`note ${mostNotes}`);
});

it("removes the note that was read, and no later one in its place", async () => {
  await addNote(lists.ctx(), { ...client, text: "wrong" });
  const [note] = (await read()).notes;
  if (!note) throw new Error("no note");
  const { place, at: written } = note;
  await expect(removeNote(lists.ctx(), { ...client, place, written: "2020" })).rejects.toMatchObject({
    code: "not-found",
  });
  await removeNote(lists.ctx(), { ...client, place, written });
  expect((await read()).notes).toEqual([]);
  expect((await lists.records()).at(-1)).toMatchObject({ action: "note.remove", changes: [{ after: null }] });
});

it("sets and removes a ticket", async () => {
  await setTicket(lists.ctx(), { ...client, text: "SEC-2291" });
  await setTicket(lists.ctx(), { ...client, text: "SEC-2291" });
  expect((await read()).ticket).toMatchObject({ text: "SEC-2291", by: "ada@example.org" });
  await setTicket(lists.ctx(), { ...client, text: "" });
  expect((await read()).ticket).toBeUndefined();
  expect(await lists.records()).toMatchObject([{ action: "note.ticket" }, { action: "note.ticket" }]);
});

it("refuses an empty, a long and an unprintable note", async () => {
  for (const text of ["  ", "x".repeat(501), "a\u0007b"])
    await expect(addNote(lists.ctx(), { ...client, text })).rejects.toMatchObject({ code: "bad-input" });
  await expect(setTicket(lists.ctx(), { ...client, text: "x".repeat(201) })).rejects.toMatchObject({
    code: "bad-input",
  });
  expect(await lists.records()).toEqual([]);
});
