import { expect, it, vi } from "vitest";
import { type UndoProgress, undoInSteps } from "@/components/console/undo-in-steps.ts";
import { chunksOf, type Piece } from "@/components/lists/import/file-chunks.ts";
import { inputOf, writePieces } from "@/components/lists/write-lines.ts";
import { timed } from "../../redis/testing-stopwatch.ts";
import { previewLines } from "../lists/vitest.lines-preview.ts";
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
const options = { ttlMs: 3_600_000, reason: "a feed", confirmed: [], tags: [] };
const count = 40_000;
/** The time that 120,000 of them have, as a share. */
const barMs = (count / 120_000) * 20_000;

/** A file in pieces, as the import dialog previews and writes it. */
async function importFile(text: string, tell: (done: number) => void) {
  const pieces: Piece[] = [];
  for (const chunk of chunksOf(text)) {
    const seen = await previewLines(inputOf(list, options, chunk));
    if (!seen.ok) throw new Error(seen.error.message);
    pieces.push({ chunk, preview: seen.value });
  }
  return writePieces({ list, pieces, options, wanted: count }, tell);
}

it("40,000 addresses are one record and one undo in the console, in time and with progress", async () => {
  await console.signIn("staff");
  const { client } = console.log;
  const lines = Array.from({ length: count }, (_, i) => `10.${2 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`);
  const written: number[] = [];
  const [imported, importing] = await timed(client, () =>
    importFile(lines.join("\n"), (done) => written.push(done)),
  );
  expect(imported).toMatchObject({ done: count, skippedCount: 0 });
  expect(imported.failure).toBeUndefined();
  expect(written.length).toBeGreaterThan(2);
  expect(written.at(-1)).toBe(count);
  const [record, ...others] = await console.records();
  expect([record?.n, others]).toEqual([imported.record, []]);

  const reports: UndoProgress[] = [];
  const [undone, undoing] = await timed(client, () =>
    undoInSteps({ n: imported.record ?? 0, reason: "a mistake" }, (progress) => reports.push(progress)),
  );
  expect(undone).toMatchObject({ ok: true, done: count, left: 0 });
  expect(reports.at(-1)).toEqual({ done: count, wanted: count });
  expect(await console.records()).toHaveLength(2);
  expect(await client.keys("blocklist:*")).toEqual([]);

  for (const { cpuMs, elapsedMs } of [importing, undoing])
    expect(Math.max(cpuMs, elapsedMs)).toBeLessThan(barMs);
}, 180_000);
