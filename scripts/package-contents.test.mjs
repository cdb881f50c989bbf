import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { layOutPackage } from "./pack-lib.mjs";

/** In bytes. What apps load is bounded by files (rooms-tree.mjs): the rest is the command, minified, and types. */
const most = { unpacked: 1_450_000, packed: 440_000 };

const folder = mkdtempSync(join(tmpdir(), "sluice-contents-"));
/** @type {string[]} */
let names = [];

beforeAll(async () => {
  await layOutPackage(folder);
  names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile());
});
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {string} name */
const read = (name) => readFileSync(join(folder, name), "utf8");

it("is as small as it was measured", () => {
  const sizes = names.map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(most.unpacked);
  // The tarball adds a header to each file.
  const all = names.sort().map(read).join("");
  expect(gzipSync(all).length + 40 * names.length).toBeLessThanOrEqual(most.packed);
});

it("has every file that another imports", () => {
  const missing = names
    .filter((name) => /\.(js|d\.ts)$/.test(name))
    .flatMap((name) =>
      [
        ...read(name)
          .replace(/^ *\*.*/gm, "")
          .matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`](\.{1,2}\/[^"'`\n]{1,200})["'`]/g),
      ]
        .map(([, to = ""]) => join(dirname(name), to))
        .map((path) => (name.endsWith(".js") ? path : path.replace(/\.[jt]s$/, ".d.ts")))
        .filter((path) => !existsSync(join(folder, path)))
        .map((path) => `${name} imports ${path}`),
    );
  expect(missing).toEqual([
    expect.stringContaining("imports enforce/guard/sluice-needs-runtime-nodejs-in-the"),
  ]);
});

it("can be read where apps run it, with its comments in the declarations alone", () => {
  const guard = names.filter((name) => /^(async )?function createGuard\(options\) \{\n/m.test(read(name)));
  expect(guard).toEqual([expect.stringMatching(/\.js$/)]);
  expect(read(guard[0] ?? "")).not.toMatch(/\/\*\*|sourceMappingURL/);
  expect(read("enforce/guard/guard.d.ts")).toContain("/**");
  expect(names.filter((name) => name.endsWith(".map"))).toEqual([]);
  expect(read("enforce/guard/edge-runtime.js")).toMatch(/^\/\/ sluice needs the Node runtime/);
});
