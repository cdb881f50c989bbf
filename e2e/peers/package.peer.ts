import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { npm, packLibrary } from "../fixtures/storefront.ts";

let folder: string;
let tarball: string;

beforeAll(() => {
  tarball = packLibrary();
  folder = mkdtempSync(join(tmpdir(), "sluice-package-"));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const tools = ["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"];
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", tarball, ...tools);
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program of the folder prints. Fails with it if the program fails. */
function run(program: string, ...args: string[]): string {
  return execFileSync(join(folder, "node_modules/.bin", program), args, { cwd: folder, encoding: "utf8" });
}

it("has a manifest that publint finds nothing wrong with", () => {
  expect(run("publint", "--strict", "node_modules/sluice")).toContain("All good");
});

it("has types that resolve like its code in every module system", () => {
  // The code is ESM. Every Node that `engines` allows can require it, which attw does not know.
  run("attw", tarball, "--ignore-rules", "cjs-resolves-to-esm", "--format", "ascii");
});

it("can be imported and required", () => {
  const say = "console.log(Object.keys(sluice).sort().join())";
  const required = ["-e", `const sluice = require("sluice"); ${say}`];
  const imported = ["--input-type=module", "-e", `import * as sluice from "sluice"; ${say}`];
  const [a, b] = [required, imported].map((args) =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).trim(),
  );
  expect(a).toContain("createGuard");
  expect(a?.replace("__esModule,", "")).toBe(b);
});

it("holds code that can be read, and nothing of the console", () => {
  const root = join(folder, "node_modules/sluice");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const code = files
    .filter((file) => file.endsWith(".js"))
    .map((file) => readFileSync(join(root, file), "utf8"));
  const readable = code.filter((text) => /^function createGuard\(options\) \{\n/m.test(text));
  expect(readable).toHaveLength(1);
  expect(code.filter((text) => /next-auth|argon2|react|TestRedis/.test(text))).toEqual([]);
  expect(
    files.filter((file) => /^(queries|console)\/|\.test\.|vitest|\/testing|password/.test(file)),
  ).toEqual([]);
});
