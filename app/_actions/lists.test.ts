import { describe, expect, it, vi } from "vitest";
import { roles } from "../../lib/auth/roles.ts";
import { eventually } from "../../lib/redis/testing.ts";
import { theCatalogue } from "../_server/catalogue.ts";
import { GET as readExpiring } from "../api/lists/[list]/expiring/route.ts";
import { GET as readExport } from "../api/lists/[list]/export/route.ts";
import { GET as readHistory } from "../api/lists/[list]/history/route.ts";
import { GET as readList } from "../api/lists/[list]/route.ts";
import { GET as readLoss } from "../api/loss/route.ts";
import { addLines, extendMany, importText, previewLines, removeMany } from "./lists.ts";
import { dismissLoss, restoreLists } from "./restore.ts";
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
const hour = 3_600_000;
const lines = { list, ttlMs: hour, reason: "scraper", confirmed: [] };
const bad = ["203.0.113.9"];

const ask = (route: typeof readList, search: string, name = "blocklist") =>
  route(new Request(`http://console.example.org/api?${search}`), { params: Promise.resolve({ list: name }) });
const fill = (count: number) =>
  console.log.client.mset(
    Array.from({ length: count }, (_, i) => [
      `blocklist:10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
      "x",
    ]).flat(),
  );
const held = (count: number) => eventually(() => expect(theCatalogue().sizes.blocklist).toBe(count));

describe("who may do what", () => {
  const writes = {
    "add for a time": () => addLines({ ...lines, addresses: bad }),
    "add for ever": () => addLines({ ...lines, addresses: bad, ttlMs: null }),
    "import for a time": () => importText({ ...lines, text: bad.join(), expected: bad }),
    "import for ever": () => importText({ ...lines, ttlMs: null, text: bad.join(), expected: bad }),
    "import a line for ever": () => importText({ ...lines, text: `${bad},never`, expected: bad }),
    "extend for a time": () => extendMany({ list, addresses: bad, forMs: hour, reason: "" }),
    "extend for ever": () => extendMany({ list, addresses: bad, forMs: null, reason: "" }),
    remove: () => removeMany({ list, addresses: bad, reason: "" }),
  };
  const forever = ["add for ever", "import for ever", "import a line for ever", "extend for ever"];
  const may = (role: string, what: string) =>
    role === "admin" || (role === "staff" && !forever.includes(what));

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

  it.each(roles)("%s may preview and read", async (role) => {
    await console.signIn(role);
    expect(await previewLines({ ...lines, text: "203.0.113.9" })).toMatchObject({ ok: true });
    expect((await ask(readList, "")).status).toBe(200);
  });

  it("nobody who is not signed in, and nobody from another page", async () => {
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

it("adds what a preview foretold, and says in which change", async () => {
  const email = await console.signIn("staff");
  const shown = await previewLines({ ...lines, text: "203.0.113.9\n127.0.0.1\n 2001:DB8::/48 " });
  if (!shown.ok) throw new Error(shown.error.message);
  expect(shown.value.willWrite).toEqual(["203.0.113.9", "2001:db8::/48"]);
  const done = await addLines({ ...lines, addresses: [...shown.value.willWrite] });
  expect(done).toEqual({
    ok: true,
    value: { change: 1, changes: [1], done: 2, skipped: [], skippedCount: 0, next: null },
  });
  expect(await console.records()).toMatchObject([{ action: "blocklist.add", actor: email, via: "console" }]);
  expect(await addLines({ ...lines, addresses: ["300.1.1.1"] })).toMatchObject({
    error: { code: "bad-input" },
  });
});

describe("everything that a search finds", () => {
  it("is removed in chunks, and nothing else", async () => {
    await console.signIn("staff");
    await fill(1_500);
    await console.log.client.set("blocklist:203.0.113.9", "another");
    await held(1_501);
    const asked = { list, selection: { q: "10.0.", facet: "permanent" as const }, reason: "over" };
    expect(await removeMany(asked)).toMatchObject({
      ok: true,
      value: { done: 1_500, changes: [1, 2, 3], next: null },
    });
    expect(await console.log.client.keys("blocklist:*")).toEqual(["blocklist:203.0.113.9"]);
  });

  it("wants the number typed again above 10,000, and goes on where a call stopped", async () => {
    await console.signIn("staff");
    await fill(10_100);
    await held(10_100);
    const asked = { list, selection: {}, reason: "over" };
    expect(await removeMany(asked)).toMatchObject({
      ok: false,
      error: {
        code: "needs-confirmation",
        message: "There are 10100 entries. Type that number to confirm it.",
      },
    });
    expect(await removeMany({ ...asked, confirmedCount: 10_099 })).toMatchObject({ ok: false });
    expect(await console.records()).toEqual([]);
    let done = 0;
    let calls = 0;
    for (let after: string | null | undefined; after !== null; calls++) {
      const part = await removeMany({ ...asked, confirmedCount: 10_100, ...(after && { after }) });
      if (!part.ok) throw new Error(part.error.message);
      done += part.value.done;
      after = part.value.next;
    }
    expect([done, calls > 1]).toEqual([10_100, true]);
    expect(await console.log.client.keys("blocklist:*")).toEqual([]);
  }, 60_000);

  it("is either that or what was ticked", async () => {
    await console.signIn("staff");
    expect(await removeMany({ list, reason: "" })).toMatchObject({ error: { code: "bad-input" } });
    const both = { list, addresses: bad, selection: {}, reason: "" };
    expect(await removeMany(both)).toMatchObject({ error: { code: "bad-input" } });
  });

  it("knows whose entries are mine", async () => {
    await console.signIn("staff");
    await addLines({ ...lines, addresses: bad });
    await fill(3);
    await held(4);
    const extended = await extendMany({ list, selection: { facet: "mine" }, forMs: hour, reason: "" });
    expect(extended).toMatchObject({ ok: true, value: { done: 1 } });
    const page = await (await ask(readList, "facet=mine")).json();
    expect(page.entries.map(({ address }: { address: string }) => address)).toEqual(bad);
  });
});

describe("what is read", () => {
  it("is a page, what ends soon with how often it was listed, and an entry's history", async () => {
    await console.signIn("staff");
    await addLines({ ...lines, addresses: bad });
    await removeMany({ list, addresses: bad, reason: "a mistake" });
    await addLines({ ...lines, addresses: bad });
    await fill(2);
    await held(3);
    const page = await (await ask(readList, "sort=expires&dir=asc&limit=1")).json();
    expect(page).toMatchObject({ total: 3, matching: 3, isComplete: true, entries: [{ address: bad[0] }] });
    const soon = await (await ask(readExpiring, `withinMs=${2 * hour}`)).json();
    expect(soon.entries).toMatchObject([{ address: bad[0], listedBefore: 1 }]);
    const history = await (await ask(readHistory, `address=${bad[0]}`)).json();
    expect(history).toMatchObject({
      listedBefore: 1,
      isWhole: true,
      records: [{ action: "blocklist.add" }, { action: "blocklist.remove", reason: "a mistake" }, {}],
    });
  });

  it("is refused when it makes no sense", async () => {
    await console.signIn("staff");
    for (const search of ["limit=201", "offset=-1", "facet=x", "sort=x"])
      expect((await ask(readList, search)).status).toBe(400);
    expect((await ask(readList, "", "greylist")).status).toBe(404);
  });

  it("is downloaded as CSV that no spreadsheet runs, as far as it was asked for", async () => {
    await console.signIn("viewer");
    await fill(4_500);
    await console.log.client.set("blocklist:203.0.113.9", '=HYPERLINK("http://x")');
    await held(4_501);
    const all = await ask(readExport, "");
    expect(all.headers.get("content-disposition")).toMatch(/^attachment; filename="sluice-blocklist-/);
    const rows = (await all.text()).split("\r\n");
    expect([rows.length, new Set(rows).size]).toEqual([4_503, 4_503]);
    const some = await (await ask(readExport, "q=hyperlink")).text();
    expect(some).toBe(
      'address,expires_at,reason,by,at,via\r\n203.0.113.9,never,"\'=HYPERLINK(""http://x"")",,,\r\n',
    );
  });
});

describe("Redis came back empty", () => {
  const lost = () => ask(readLoss, "").then((answer) => answer.json());

  it("is told, and restored only when an admin asks for it; an admin can sign in again", async () => {
    await console.signIn("admin");
    await addLines({ ...lines, addresses: bad, ttlMs: null });
    await held(1);
    expect(await lost()).toEqual({ loss: null });
    expect(await restoreLists({})).toMatchObject({ error: { code: "not-found" } });
    await console.log.client.flushall();
    await eventually(() => expect(theCatalogue().loss).toBeDefined());
    await eventually(async () => expect(await console.log.client.hlen("sluice:users")).toBe(1));
    await console.signIn("staff");
    expect(await lost()).toEqual({
      loss: { at: expect.stringMatching(/Z$/), safelist: 0, blocklist: 1, neverBlock: 0 },
    });
    expect(await restoreLists({})).toMatchObject({ error: { code: "not-allowed" } });
    expect(await console.log.client.exists("blocklist:203.0.113.9")).toBe(0);
    await console.signIn("admin");
    expect(await restoreLists({ reason: "after the crash" })).toMatchObject({
      ok: true,
      value: { done: 1, left: 0 },
    });
    expect(await console.log.client.exists("blocklist:203.0.113.9")).toBe(1);
    expect(await lost()).toEqual({ loss: null });
  });

  it("leaves an admin who can sign in, though the lists held nothing", async () => {
    await console.signIn("admin");
    await theCatalogue().ready;
    await console.log.client.flushall();
    await eventually(async () => expect(await console.log.client.hlen("sluice:users")).toBe(1));
    expect(theCatalogue().loss).toBeUndefined();
  });

  it("is dismissed on record", async () => {
    await console.signIn("admin");
    await addLines({ ...lines, addresses: bad });
    await held(1);
    await console.log.client.flushall();
    await eventually(() => expect(theCatalogue().loss).toBeDefined());
    await console.signIn("admin");
    expect(await dismissLoss({ reason: "a test server" })).toMatchObject({ ok: true });
    expect(await lost()).toEqual({ loss: null });
    expect((await console.records()).at(-1)).toMatchObject({
      action: "lists.dismiss-loss",
      reason: "a test server",
    });
  });
});
