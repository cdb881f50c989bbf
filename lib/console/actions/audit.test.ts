import { beforeEach, describe, expect, it, vi } from "vitest";
import { readHistory } from "../../manage/audit/history.ts";
import { undo } from "../../manage/undo/undo.ts";
import { idleMs } from "../../manage/users/sessions.ts";
import { setRole } from "../../manage/users/set-role.ts";
import { settle } from "../../manage/users/vitest.users.ts";
import { getAuditDetail as readDetail } from "../audit/audit-detail.ts";
import { getAuditExport as readExport } from "../audit/audit-export.ts";
import { getAuditPage as readLog, getNewerRecords as readNewer } from "../audit/read-page.ts";
import { theConsole } from "../console.ts";
import { previewLines } from "../lists/vitest.lines-preview.ts";
import { markersOf } from "../stats/markers.ts";
import { undoChange } from "./audit.ts";
import { addLines } from "./lists.ts";
import { request, testActions } from "./vitest.actions.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();
const eve = "eve@example.org";
const root = () => console.log.signed({ name: "cli:root", via: "cli" });
const add = {
  list: "blocklist",
  addresses: ["203.0.113.9"],
  ttlMs: 3_600_000,
  reason: "",
  confirmed: [],
} as const;
const adding = () => addLines({ ...add, addresses: [...add.addresses], confirmed: [] });

const url = (search: string) => new Request(`http://console.example.org/api/audit?${search}`);
const none = { params: Promise.resolve({}) };
const exported = async (format: string) => (await readExport(url(`format=${format}`), none)).text();

/** Who was changed, and that it was undone. */
async function changeEve(): Promise<number> {
  await settle(root(), eve, "viewer");
  await setRole(root(), { email: eve, role: "staff" });
  const n = (await console.log.records()).length;
  await undo({ ...root(), role: "admin", protectedRanges: [] }, { n });
  return n;
}

describe("what tells of users", () => {
  let n: number;
  beforeEach(async () => {
    n = await changeEve();
  });

  it.each(["viewer", "staff", "support"] as const)("a %s gets none of", async (role) => {
    await console.signIn(role);
    expect(await (await readLog(url(""), none)).json()).toMatchObject({ rows: [], next: null });
    expect(await (await readLog(url(`target=${eve}`), none)).json()).toMatchObject({ rows: [] });
    expect(await (await readNewer(url("after=0"), none)).json()).toEqual({ count: 0, isMore: false });
    for (const format of ["csv", "jsonl"]) expect(await exported(format)).not.toContain("example.org");
    for (const number of [n, n + 1]) {
      const response = await readDetail(url(""), { params: Promise.resolve({ n: `${number}` }) });
      expect(response.status).toBe(403);
      expect(await response.text()).not.toContain(eve);
    }
  });

  it("an admin gets, and charts mark none of it", async () => {
    await console.signIn("admin");
    const { rows } = await (await readLog(url(""), none)).json();
    expect(rows).toHaveLength((await console.log.records()).length);
    expect((await (await readNewer(url("after=0"), none)).json()).count).toBe(rows.length);
    for (const format of ["csv", "jsonl"]) expect(await exported(format)).toContain(eve);
    expect((await readDetail(url(""), { params: Promise.resolve({ n: `${n}` }) })).status).toBe(200);
    await adding();
    const { records } = await readHistory(theConsole().redis);
    expect(markersOf(records)).toMatchObject([{ action: "blocklist.add" }]);
  });

  it("does not show through a damaged row in an export of who may not read it", async () => {
    const [row] = await console.log.client.xrange("sluice:audit", `${n}-0`, `${n}-0`);
    await console.log.client.xadd("sluice:audit", "900-0", ...(row?.[1] ?? []));
    await console.signIn("viewer");
    expect(await exported("jsonl")).not.toContain(eve);
    expect(await exported("csv")).toContain("900-0");
    expect(await exported("csv")).not.toContain(eve);
  });
});

it("a loop of refused actions leaves one record of each", async () => {
  const n = await changeEve();
  await console.signIn("viewer");
  for (let i = 0; i < 5; i++) {
    expect(await adding()).toMatchObject({ error: { code: "not-allowed" } });
    expect(await undoChange({ n })).toMatchObject({ error: { code: "not-allowed" } });
  }
  const refused = (await console.log.records()).filter(({ action }) => action.startsWith("refused:"));
  expect(refused.map(({ action }) => action)).toEqual(["refused:lists.add", "refused:undo"]);
});

it("a viewer's undo reads nothing of the log", async () => {
  await console.signIn("viewer");
  const { redis } = theConsole();
  const reads = [vi.spyOn(redis, "xrange"), vi.spyOn(redis, "xrevrange")];
  const addresses = Array.from({ length: 1_000 }, (_, i) => `10.2.${i >> 8}.${i & 255}`);
  const changes = Array.from({ length: 100 }, (_, i) => i + 1);
  for (const asked of [{ n: 1 }, { n: 1, addresses }, { changes }])
    expect(await undoChange(asked)).toMatchObject({
      error: {
        code: "not-allowed",
        message: "Your role, viewer, may not do this. Only staff or support or admin can.",
      },
    });
  const calls = reads.map(({ mock }) => mock.calls);
  vi.restoreAllMocks();
  expect(calls).toEqual([[], []]);
});

it("a user has one undo at a time, and eight waiting", async () => {
  await console.signIn("staff");
  await adding();
  const n = (await console.log.records()).length;
  const results = await Promise.all(Array.from({ length: 12 }, () => undoChange({ n })));
  const codes = results.map((result) => (result.ok ? "done" : result.error.code));
  expect(codes.filter((code) => code === "done")).toHaveLength(1);
  expect(codes.filter((code) => code === "too-busy")).toHaveLength(3);
});

it("a preview does not extend the session, and a user's own act does", async () => {
  await console.signIn("staff");
  const { client } = console.log;
  const [session = ""] = await client.keys("sluice:session:*");
  await client.pexpire(session, 60_000);
  await previewLines({ list: "blocklist", ttlMs: null, reason: "", text: "203.0.113.9", confirmed: [] });
  expect(await client.pttl(session)).toBeLessThanOrEqual(60_000);
  await adding();
  expect(await client.pttl(session)).toBeGreaterThan(idleMs - 60_000);
});
