import { expect, it } from "vitest";
import { timed } from "../../redis/testing-stopwatch.ts";
import { newestNumber } from "../audit/walk.ts";
import { type ImportProgress, importEntries } from "../lists/import.ts";
import { undo } from "./undo.ts";
import { testUndo } from "./vitest.undo.ts";

const test = testUndo();
const { lists } = test;
const count = 20_000;
/** The time that 120,000 of them have, as a share. */
const barMs = (count / 120_000) * 20_000;

it("20,000 addresses are imported by one record, and taken back by one, in time and with progress", async () => {
  const lines = Array.from({ length: count }, (_, i) => `10.${2 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`);
  const progressed: ImportProgress[] = [];
  const onProgress = (progress: ImportProgress) => void progressed.push(progress);
  const text = lines.join("\n");
  const [imported, importing] = await timed(lists.client, () =>
    importEntries(lists.ctx(), { list: "blocklist", text, reason: "a feed", onProgress }),
  );
  expect(imported).toMatchObject({ record: 1, change: count / 500 });
  expect(await newestNumber(lists.ctx().redis)).toBe(1);
  expect(await lists.client.exists("blocklist:10.2.0.0", "blocklist:10.2.78.31")).toBe(2);
  expect(progressed.filter(({ doing }) => doing === "importing")).toHaveLength(count / 500);

  let steps = 0;
  const [undone, undoing] = await timed(lists.client, () =>
    undo(test.as("admin"), { n: 1, onProgress: () => void steps++ }),
  );
  expect(undone).toMatchObject({ record: 2, done: count, left: 0, isWhole: true });
  expect(await newestNumber(lists.ctx().redis)).toBe(2);
  expect(await lists.client.keys("blocklist:*")).toEqual([]);
  expect(steps).toBeGreaterThanOrEqual(count / 500);

  for (const { cpuMs, elapsedMs } of [importing, undoing])
    expect(Math.max(cpuMs, elapsedMs)).toBeLessThan(barMs);
  // No script holds Redis up for more than a step.
  for (const n of [1, 2])
    for (const { changes } of await lists.parts(n)) expect(changes.length).toBeLessThanOrEqual(500);
  await lists.expectSoundChain(2);
}, 120_000);
