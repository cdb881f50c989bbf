import { beforeEach, describe, expect, it, vi } from "vitest";
import { verifyChain } from "../../manage/audit/chain.ts";
import type { AuditDetail, AuditPage } from "../../queries/audit.ts";
import { getAuditDetail as readDetail } from "../audit/audit-detail.ts";
import { getAuditExport as readExport } from "../audit/audit-export.ts";
import { getAuditPage as readLog } from "../audit/read-page.ts";
import { theConsole } from "../console.ts";
import { getMarkers as readMarkers } from "../stats/stats-reads.ts";
import { undoChange } from "./audit.ts";
import { addLines, importText } from "./lists.ts";
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
const terms = { list, ttlMs: 3_600_000, reason: "a feed", confirmed: [] };
const many = (count: number, first = 0) =>
  Array.from({ length: count }, (_, k) => k + first).map((i) => `10.2.${i >> 8}.${i & 255}`);
const blocked = async () => (await console.log.client.keys("blocklist:*")).length;

/** A file of 1,500 lines in two pieces, as the import dialog sends it. */
async function importPiece(first: number, isLast: boolean, count = 750) {
  const expected = many(count, first);
  const part = { of: "the file", wanted: 1_500, isLast };
  const result = await importText({ ...terms, confirmed: [], text: expected.join("\n"), expected, part });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const url = (path: string) => new Request(`http://console.example.org${path}`);
const params = (n: number) => ({ params: Promise.resolve({ n: `${n}` }) });
const none = { params: Promise.resolve({}) };
const detail = async (n: number, search = ""): Promise<AuditDetail> =>
  (await readDetail(url(`/api/audit/${n}?${search}`), params(n))).json();
const page = async (search: string): Promise<AuditPage> =>
  (await readLog(url(`/api/audit?${search}`), none)).json();

describe("an import in several calls", () => {
  let n: number;
  beforeEach(async () => {
    await console.signIn("staff");
    n = (await importPiece(0, false)).record ?? 0;
  });

  it("is one record, and one undo takes all of it back, in as many calls as that takes", async () => {
    expect((await page("")).rows[0]).toMatchObject({
      n,
      targets: 750,
      bulk: { wanted: 1_500, isFinished: false },
    });
    expect(await importPiece(750, true)).toMatchObject({ record: n, done: 750, next: null });
    expect(await blocked()).toBe(1_500);
    const { rows } = await page("");
    expect(rows[0]).toMatchObject({
      ...{ n, targets: 1_500, bulk: { isFinished: true }, noUndo: null, change: 4, tone: "blocked" },
      says: ["imported into the blocklist: 1,500 entries"],
    });
    expect(await undoChange({ n, reason: "a mistake" })).toMatchObject({
      ok: true,
      value: { done: 1_500, wanted: 1_500, left: 0, isWhole: true },
    });
    expect(await blocked()).toBe(0);
    const after = await page("");
    expect(after.undone).toEqual([[n, n + 1, false]]);
    expect(after.rows[0]).toMatchObject({ n: n + 1, look: "undo", targets: 1_500, undoes: n });
    const { redis, seal } = theConsole();
    expect((await verifyChain(redis, seal)).problems).toEqual([]);
  });

  it("goes into no record of another person, whatever the browser says", async () => {
    await console.signIn("admin");
    expect((await importPiece(750, true)).record).not.toBe(n);
  });

  it("is finished by its last call alone", async () => {
    const again = await importPiece(0, false);
    expect(again).toMatchObject({ record: n, done: 0, skippedCount: 750 });
    await importPiece(750, true);
    expect((await importPiece(1_500, false, 10)).record).not.toBe(n);
  });
});

describe("a record with parts", () => {
  let n: number;
  beforeEach(async () => {
    await console.signIn("staff");
    const added = await addLines({ ...terms, confirmed: [], addresses: many(1_200) });
    if (!added.ok) throw new Error(added.error.message);
    n = added.value.record ?? 0;
  });

  it("is shown some entries at a time, or those that an address touches", async () => {
    const first = await detail(n);
    expect([first.changes.length, first.next, first.isOfEntries]).toEqual([500, 2, true]);
    const second = await detail(n, `part=${first.next}`);
    expect([second.changes[0]?.target, second.next]).toEqual(["10.2.1.244", 3]);
    const last = await detail(n, `part=${second.next}`);
    expect([last.changes.length, (await detail(n, "part=4")).next]).toEqual([200, null]);
    const found = await detail(n, "target=10.2.4.7");
    expect(found.changes).toMatchObject([{ target: "10.2.4.7", before: ["not on the blocklist"] }]);
  });

  it("is found by an address in it, exported with its entries, and marked on a client's chart", async () => {
    expect((await page("target=10.2.4.7")).rows).toMatchObject([{ n }]);
    expect((await page("target=10.9.9.9")).rows).toEqual([]);
    const csv = await (await readExport(url("/api/audit/export?format=csv&action=blocklist"), none)).text();
    expect(csv.split("\r\n").filter((line) => line.startsWith(`${n},`))).toHaveLength(1_201);
    expect(csv).toContain("10.2.4.175,,,");
    const jsonl = await (
      await readExport(url("/api/audit/export?format=jsonl&target=10.2.4.7"), none)
    ).text();
    const { seal } = theConsole();
    const [record, part, ...others] = jsonl
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([record.id, part.of, part.id, others]).toEqual([`${n}-0`, n, "3-0", []]);
    expect(seal.part(part.previous, part.record)).toBe(part.mac);
    const marked = async (client: string) =>
      (await (await readMarkers(url(`/api/markers?seconds=3600&client=${client}`), none)).json()).markers;
    expect(await marked("10.2.4.7")).toMatchObject([{ n }]);
    expect(await marked("10.2.9.7")).toEqual([]);
  });

  it("is undone in part, by what was chosen", async () => {
    expect(await undoChange({ n, addresses: ["10.2.0.1", "10.2.4.7"] })).toMatchObject({
      ok: true,
      value: { done: 2 },
    });
    expect(await blocked()).toBe(1_198);
    expect((await page("")).undone).toEqual([[n, n + 1, true]]);
    expect((await page("")).rows[0]).toMatchObject({
      says: [`undid 2 of the entries of record ${n}: `, "took ", {}, " and ", {}, " off the blocklist again"],
    });
    expect(await undoChange({ changes: [1], addresses: ["10.2.0.1"] })).toMatchObject({
      error: { code: "bad-input" },
    });
    await console.signIn("support");
    expect(await undoChange({ n, addresses: ["10.2.0.2"] })).toMatchObject({
      error: { code: "not-allowed" },
    });
  });
});
