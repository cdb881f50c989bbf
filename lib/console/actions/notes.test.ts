import { expect, it, vi } from "vitest";
import { type Role, roles } from "../../manage/users/roles.ts";
import { getLinks, getNotes } from "../clients/note-reads.ts";
import { addNote, removeLink, removeNote, setLink, setTicket } from "./notes.ts";
import { request, testActions } from "./vitest.actions.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();
const client = { kind: "client", id: "203.0.113.9" } as const;
const customer = { kind: "customer", id: "acme" } as const;
const link = { kind: "client", name: "Logs", template: "https://logs.example.org/?q={ip}" } as const;

const writes: Record<string, { by: readonly Role[]; write: () => Promise<{ ok: boolean }> }> = {
  "a note of a client": { by: ["staff", "admin"], write: () => addNote({ ...client, text: "x" }) },
  "a ticket of a client": { by: ["staff", "admin"], write: () => setTicket({ ...client, text: "x" }) },
  "a note of a customer": { by: ["support", "admin"], write: () => addNote({ ...customer, text: "x" }) },
  "a ticket of a customer": { by: ["support", "admin"], write: () => setTicket({ ...customer, text: "x" }) },
  "a link": { by: ["admin"], write: () => setLink(link) },
};

it.each(roles.flatMap((role) => Object.entries(writes).map(([what, write]) => [role, what, write] as const)))(
  "%s writes %s, or is refused",
  async (role, _, { by, write }) => {
    const email = await console.signIn(role);
    const result = await write();
    const records = await console.records();
    if (by.includes(role)) {
      expect(result).toMatchObject({ ok: true });
      expect(records).toMatchObject([{ actor: email, changes: [{ before: null }] }]);
      return;
    }
    expect(result).toMatchObject({ ok: false, error: { code: "not-allowed" } });
    expect(records).toMatchObject([
      { actor: email, action: expect.stringMatching(/^refused:/), changes: [] },
    ]);
  },
);

const read = async (route: typeof getNotes, { kind, id }: { kind: string; id: string }) => {
  const params = Promise.resolve({ kind, id: encodeURIComponent(id) });
  return (await route(new Request("http://console.example.org/api"), { params })).json();
};

it("reads what was written, and removes it", async () => {
  await console.signIn("admin");
  await addNote({ ...client, text: "keep the block" });
  await setTicket({ ...client, text: "SEC-2291" });
  const found = await read(getNotes, client);
  expect(found).toMatchObject({ ticket: { text: "SEC-2291" }, notes: [{ text: "keep the block" }] });
  const [{ place, at }] = found.notes;
  expect(await removeNote({ ...client, place, written: at })).toMatchObject({ ok: true });
  expect(await read(getNotes, client)).toMatchObject({ notes: [] });
  expect(await read(getNotes, { kind: "client", id: "nonsense" })).toMatchObject({
    error: { code: "bad-input" },
  });
  await setLink(link);
  const answer = await getLinks(new Request("http://console.example.org/api"), {
    params: Promise.resolve({}),
  });
  expect(await answer.json()).toMatchObject({ links: [link] });
  expect(await removeLink(link)).toMatchObject({ ok: true });
});

it("refuses a link that could run or leak something, with its field", async () => {
  await console.signIn("admin");
  expect(await setLink({ ...link, template: "javascript:alert('{ip}')" })).toMatchObject({
    error: { code: "bad-input", fields: { template: expect.stringContaining("https") } },
  });
  expect(await console.records()).toEqual([]);
});
