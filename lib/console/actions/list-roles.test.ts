import { describe, expect, it, vi } from "vitest";
import { roles } from "../../manage/users/roles.ts";
import { getListExport as readExport, getEntries as readList } from "../lists/list-reads.ts";
import { previewLines } from "../lists/vitest.lines-preview.ts";
import { undoChange } from "./audit.ts";
import { addLines, extendMany, importText, removeMany, setExpiry, tagMany } from "./lists.ts";
import { request, testActions } from "./vitest.actions.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();
const list = "blocklist" as const;
const [hour, day] = [3_600_000, 86_400_000];
const lines = { list, ttlMs: hour, reason: "scraper", confirmed: [] };
const bad = ["203.0.113.9"];

const ask = (route: typeof readList, search: string) =>
  route(new Request(`http://console.example.org/api?${search}`), { params: Promise.resolve({ list }) });

describe("who may do what", () => {
  const writes = {
    "add for a time": () => addLines({ ...lines, addresses: bad }),
    "add without end": () => addLines({ ...lines, addresses: bad, ttlMs: null }),
    "import for a time": () => importText({ ...lines, text: bad.join(), expected: bad }),
    "import without end": () => importText({ ...lines, ttlMs: null, text: bad.join(), expected: bad }),
    "import a line without end": () => importText({ ...lines, text: `${bad},never`, expected: bad }),
    "add for 90 days": () => addLines({ ...lines, addresses: bad, ttlMs: 90 * day }),
    "add for longer": () => addLines({ ...lines, addresses: bad, ttlMs: 90 * day + 1 }),
    "import for longer": () => importText({ ...lines, ttlMs: 91 * day, text: bad.join(), expected: bad }),
    "import a line for longer": () => importText({ ...lines, text: `${bad},91d`, expected: bad }),
    "import a line until later": () =>
      importText({
        ...lines,
        text: `${bad},${new Date(Date.now() + 91 * day).toISOString()}`,
        expected: bad,
      }),
    "extend for longer": () => extendMany({ list, addresses: bad, forMs: 91 * day, reason: "" }),
    preview: () => previewLines({ ...lines, text: bad.join() }),
    "extend for a time": () => extendMany({ list, addresses: bad, forMs: hour, reason: "" }),
    "extend without end": () => extendMany({ list, addresses: bad, forMs: null, reason: "" }),
    "set the expiry": () => setExpiry({ list, addresses: bad, ttlMs: hour, reason: "" }),
    "set the expiry without end": () => setExpiry({ list, addresses: bad, ttlMs: null, reason: "" }),
    "set the expiry for longer": () => setExpiry({ list, addresses: bad, ttlMs: 91 * day, reason: "" }),
    tag: () => tagMany({ list, addresses: bad, tags: { add: ["bot"] }, reason: "" }),
    remove: () => removeMany({ list, addresses: bad, reason: "" }),
  };
  const may = (role: string, what: string) =>
    role === "admin" || (role === "staff" && !/without end|for longer|until later/.test(what));

  it.each(
    roles.flatMap((role) => Object.entries(writes).map(([what, write]) => [role, what, write] as const)),
  )("%s: %s", async (role, what, write) => {
    const email = await console.signIn(role);
    const result = await write();
    const records = await console.records();
    if (may(role, what)) return expect(result).toMatchObject({ ok: true });
    expect(result).toMatchObject({ ok: false, error: { code: "not-allowed" } });
    expect(await console.log.client.exists("blocklist:203.0.113.9")).toBe(0);
    expect(records).toMatchObject([
      { action: expect.stringMatching(/^refused:lists\./), actor: email, changes: [] },
    ]);
  });

  it.each(roles)("%s may read", async (role) => {
    await console.signIn(role);
    expect((await ask(readList, "")).status).toBe(200);
  });

  it.each(["viewer", "support"] as const)("%s is refused before a long text is read", async (role) => {
    await console.signIn(role);
    const text = "203.0.113.9,never\n".repeat(50_000);
    const begin = process.cpuUsage();
    expect(await importText({ ...lines, text, expected: bad })).toMatchObject({
      error: {
        code: "not-allowed",
        message: `Your role, ${role}, may not do this. Only staff or admin can.`,
      },
    });
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1_000).toBeLessThan(100);
  });

  it("tells staff how long they may choose", async () => {
    await console.signIn("staff");
    expect(await writes["add for longer"]()).toMatchObject({
      error: {
        message: expect.stringContaining("Staff may choose at most 90 days, an admin may choose longer."),
      },
    });
  });

  it("lets staff extend up to 90 days from now, however often, and an admin further", async () => {
    await console.signIn("staff");
    const extend = () => extendMany({ list, addresses: bad, forMs: 50 * day, reason: "" });
    await addLines({ ...lines, addresses: bad });
    expect(await extend()).toMatchObject({ value: { done: 1 } });
    expect(await extend()).toMatchObject({
      value: {
        ...{ done: 0, skippedCount: 1 },
        skipped: [{ code: "not-allowed", message: expect.stringContaining("at most 90 days") }],
      },
    });
    expect(await console.log.client.pttl("blocklist:203.0.113.9")).toBeLessThan(51 * day);
    await console.signIn("admin");
    expect(await extend()).toMatchObject({ value: { done: 1 } });
  });

  it("lets staff remove what only an admin may add, and only an admin put it back", async () => {
    const key = "blocklist:203.0.113.9";
    for (const ttlMs of [null, 91 * day]) {
      await console.signIn("admin");
      expect(await addLines({ ...lines, addresses: bad, ttlMs })).toMatchObject({ ok: true });
      await console.signIn("staff");
      expect(await writes.remove()).toMatchObject({ value: { done: 1 } });
      const n = (await console.log.records()).at(-1)?.n ?? 0;
      expect(await undoChange({ n })).toMatchObject({ error: { code: "not-allowed" } });
      expect(await console.log.client.exists(key)).toBe(0);
      await console.signIn("admin");
      expect(await undoChange({ n })).toMatchObject({ ok: true });
      await writes.remove();
    }
  });

  it("no request without a session, and none from another page", async () => {
    expect(await writes.remove()).toMatchObject({ error: { code: "signed-out" } });
    expect((await ask(readList, "")).status).toBe(401);
    expect((await ask(readExport, "")).status).toBe(401);
    await console.signIn("admin");
    for (const origin of ["http://evil.example.com", undefined]) {
      request.headers = new Headers({ host: "console.example.org", ...(origin && { origin }) });
      expect(await writes["add for a time"]()).toMatchObject({ error: { code: "not-allowed" } });
    }
    expect(await console.log.client.exists("blocklist:203.0.113.9")).toBe(0);
  });
});
