import { describe, expect, it, vi } from "vitest";
import { eventually } from "../../redis/testing.ts";
import { theCatalogue } from "../catalogue.ts";
import {
  getExpiring as readExpiring,
  getListExport as readExport,
  getEntryHistory as readHistory,
  getEntries as readList,
  getLoss as readLoss,
} from "../lists/list-reads.ts";
import { previewLines } from "../lists/vitest.lines-preview.ts";
import { undoChange } from "./audit.ts";
import { addLines, dismissLoss, extendMany, removeMany, restoreLists, tagMany } from "./lists.ts";
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

it("adds what a preview foretold, and says in which change", async () => {
  const email = await console.signIn("staff");
  const shown = await previewLines({ ...lines, text: "203.0.113.9\n127.0.0.1\n 2001:DB8::/48 " });
  if (!shown.ok) throw new Error(shown.error.message);
  expect(shown.value.willWrite).toEqual(["203.0.113.9", "2001:db8::/48"]);
  const done = await addLines({ ...lines, addresses: [...shown.value.willWrite] });
  expect(done).toEqual({
    ok: true,
    value: { change: 1, record: expect.any(Number), done: 2, skipped: [], skippedCount: 0, next: null },
  });
  expect(await console.records()).toMatchObject([{ action: "blocklist.add", actor: email, via: "console" }]);
  expect(await addLines({ ...lines, addresses: ["300.1.1.1"] })).toMatchObject({
    error: { code: "bad-input" },
  });
});

describe("a preview", () => {
  const text = (count: number) =>
    Array.from({ length: count }, (_, i) => `10.9.${i >> 8}.${i & 255}`).join("\n");

  it("takes 2,000 lines, and says what to do with more", async () => {
    await console.signIn("staff");
    expect(await previewLines({ ...lines, text: `${text(2_000)}\n` })).toMatchObject({ ok: true });
    expect(await previewLines({ ...lines, text: text(2_001) })).toMatchObject({
      error: {
        code: "bad-input",
        message: "The text has 2,001 lines. A preview takes 2,000: send the text in pieces.",
      },
    });
  });

  it("is made one at a time for a session, and the tenth is refused", async () => {
    await console.signIn("staff");
    await theCatalogue().ready;
    const ends: number[] = [];
    const previews = Array.from({ length: 10 }, async (_, i) => {
      const result = await previewLines({ ...lines, text: text(50) });
      ends.push(i);
      return result;
    });
    const results = await Promise.all(previews);
    expect(results.filter(({ ok }) => ok)).toHaveLength(9);
    expect(results.find(({ ok }) => !ok)).toMatchObject({
      error: { code: "too-busy", message: expect.stringContaining("too many previews waiting") },
    });
    expect(await previewLines({ ...lines, text: text(1) })).toMatchObject({ ok: true });
  });

  it("gives up when Redis takes too long", async () => {
    await console.signIn("staff");
    await theCatalogue().ready;
    let now = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => (now += 5_000));
    try {
      expect(await previewLines({ ...lines, text: text(10) })).toMatchObject({
        error: { code: "redis-unavailable", message: expect.stringContaining("took longer than 4 s") },
      });
    } finally {
      vi.restoreAllMocks();
    }
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
      value: { done: 1_500, change: 3, next: null },
    });
    expect(await console.log.client.keys("blocklist:*")).toEqual(["blocklist:203.0.113.9"]);
    expect(await console.records()).toMatchObject([{ action: "blocklist.remove", bulk: { wanted: 1_500 } }]);
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
    expect(await console.records()).toMatchObject([{ action: "blocklist.remove", bulk: { wanted: 10_100 } }]);
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

describe("tags", () => {
  const tagsIn = async (search: string) => (await (await ask(readList, search)).json()).tags;

  it("are changed of everything that a search finds, in one record with one undo", async () => {
    await console.signIn("staff");
    await addLines({ ...lines, addresses: bad, tags: ["Bot"] });
    await fill(1_500);
    await held(1_501);
    const asked = { list, selection: { q: "10.0." }, reason: "sorted" };
    const first = await tagMany({ ...asked, tags: { add: ["crowd", "bot"] } });
    expect(first).toMatchObject({ ok: true, value: { done: 1_500, next: null } });
    await eventually(async () =>
      expect(await tagsIn("")).toEqual([
        { tag: "bot", count: 1_501 },
        { tag: "crowd", count: 1_500 },
      ]),
    );
    const removal = { list, selection: { tag: "crowd" }, tags: { add: [], remove: ["crowd"] }, reason: "" };
    const second = await tagMany(removal);
    if (!first.ok || !second.ok) throw new Error("not written");
    expect(second.value.done).toBe(1_500);
    expect(await console.records()).toMatchObject([
      { action: "blocklist.add" },
      { action: "blocklist.tag", bulk: { wanted: 1_500 } },
      { action: "blocklist.tag", bulk: { wanted: 1_500 } },
    ]);
    expect(await undoChange({ n: first.value.record ?? 0 })).toMatchObject({
      error: { code: "changed-since" },
    });
    expect(await undoChange({ n: second.value.record ?? 0 })).toMatchObject({
      ok: true,
      value: { done: 1_500 },
    });
    await eventually(async () => expect(await tagsIn("tag=crowd&facet=permanent")).toHaveLength(2));
  });

  it("select what is removed, and what is exported", async () => {
    await console.signIn("staff");
    await addLines({ ...lines, addresses: bad, tags: ["bot"] });
    await addLines({ ...lines, addresses: ["203.0.113.10"] });
    await held(2);
    const csv = await (await ask(readExport, "tag=bot")).text();
    expect(csv.split("\r\n")[1]).toMatch(/^203\.0\.113\.9,.*,bot$/);
    expect(csv.split("\r\n")).toHaveLength(3);
    expect(await removeMany({ list, selection: { tag: "bot" }, reason: "" })).toMatchObject({
      value: { done: 1 },
    });
    expect(await console.log.client.keys("blocklist:*")).toEqual(["blocklist:203.0.113.10"]);
    expect((await ask(readList, "tag=no tag")).status).toBe(400);
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
      'address,expires_at,reason,by,at,via,tags\r\n203.0.113.9,never,"\'=HYPERLINK(""http://x"")",,,,\r\n',
    );
  });
});

describe("Redis came back empty", () => {
  const lost = () => ask(readLoss, "").then((answer) => answer.json());

  it("is reported, and restored only when an admin asks for it; an admin can sign in again", async () => {
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
