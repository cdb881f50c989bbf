import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { toolArgs } from "./check.mjs";
import { inProject, installed } from "./project.mjs";

/** @type {string[]} */
const folders = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** What knip says, with this project's settings, of a project that holds these files. @param {Record<string, string>} files */
function unused(files) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-unused-"));
  folders.push(folder);
  symlinkSync(inProject("node_modules"), join(folder, "node_modules"));
  for (const path of ["knip.json", "tsconfig.json", "e2e/storefront/package.json"])
    cpSync(inProject(path), join(folder, path));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const args = [...toolArgs.knip, "--reporter=json"];
  const { status, stdout } = spawnSync(installed("knip"), args, { cwd: folder, encoding: "utf8" });
  /** @type {{ issues: { file: string; [kind: string]: unknown }[] }} */
  const { issues } = JSON.parse(stdout);
  const namesOf = (/** @type {unknown} */ found) =>
    Array.isArray(found) ? found.map(({ name }) => name) : [];
  const named = issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) => namesOf(found).map((name) => `${kind} ${file} ${name}`)),
  );
  return { status, named: named.sort() };
}

const manifest = { dependencies: { next: "16" }, devDependencies: { vitest: "4", "@playwright/test": "1" } };
const project = {
  "package.json": JSON.stringify(manifest),
  "app/page.tsx": `import Link from "next/link"; import { Table } from "@/components/lists/table.tsx"; export default () => [Link, Table];`,
  "components/lists/table.tsx": `export const Table = "table";`,
  "components/lists/table.test.tsx": `import { test } from "vitest"; test("", () => {});`,
  "e2e/playwright.config.ts": `export default { testMatch: "*.spec.ts" };`,
  "e2e/a.spec.ts": `import { test } from "@playwright/test"; test("", () => {});`,
  "scripts/test.mjs": `import "./steps.mjs";`,
  "scripts/steps.mjs": "",
  "lib/enforce/guard/index.ts": "",
};

test("keeps quiet about a project whose files, packages and exports are used", () => {
  expect(unused(project)).toEqual({ status: 0, named: [] });
});

test("names unused files, packages and exports, and packages that package.json leaves out", () => {
  const strays = [
    ...["app/stray.tsx", "bench/stray.mjs", "components/lists/stray.tsx", "deploy/stray.ts", "e2e/stray.ts"],
    ...["e2e/storefront/stray.ts", "lib/enforce/lists/stray.ts", "scripts/stray.mjs", "stray.mjs"],
  ];
  const planted = {
    ...Object.fromEntries(strays.map((path) => [path, ""])),
    "package.json": JSON.stringify({ ...manifest, dependencies: { next: "16", "left-pad": "1" } }),
    "components/lists/table.tsx": `import pad from "right-pad"; export const Table = pad(""); export const idle = 1;`,
  };
  expect(unused({ ...project, ...planted })).toEqual({
    status: 1,
    named: [
      "dependencies package.json left-pad",
      "exports components/lists/table.tsx idle",
      ...strays.map((path) => `files ${path} ${path}`),
      "unlisted components/lists/table.tsx right-pad",
    ].sort(),
  });
});
