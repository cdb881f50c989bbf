import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contentStamp, unlessStamped } from "./content-stamp.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-stamp-"));
  mkdirSync(join(folder, "lib"));
  writeFileSync(join(folder, "lib/a.ts"), "1");
  writeFileSync(join(folder, "proxy.ts"), "2");
});
afterEach(() => rmSync(folder, { recursive: true }));

const stamp = () => contentStamp(folder, ["lib", "proxy.ts", "not-there"]);

test("the stamp changes with a file's text, its name, and what is added", () => {
  const first = stamp();
  expect(stamp()).toBe(first);
  writeFileSync(join(folder, "lib/a.ts"), "3");
  const edited = stamp();
  writeFileSync(join(folder, "lib/b.ts"), "");
  const added = stamp();
  rmSync(join(folder, "proxy.ts"));
  expect(new Set([first, edited, added, stamp()]).size).toBe(4);
});

test("the stamp does not change with a test", () => {
  const first = stamp();
  writeFileSync(join(folder, "lib/a.test.ts"), "3");
  expect(stamp()).toBe(first);
});

test("work is done once for a stamp, and again if it failed", async () => {
  const file = join(folder, "dist/.stamp");
  await expect(unlessStamped(file, "s", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await unlessStamped(file, "s", async () => {})).toBe(true);
  expect(await unlessStamped(file, "s", async () => {})).toBe(false);
  expect(await unlessStamped(file, "t", async () => {})).toBe(true);
});
