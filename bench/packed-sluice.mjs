import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { root } from "../scripts/project.mjs";

/** Folders that `removeFolders` removes. @type {string[]} */
const folders = [];

/** The package of this code, in a tarball. */
export function packCurrent() {
  const folder = newFolder();
  execFileSync("npm", ["run", "pack:lib", "--", "--pack-destination", folder], { cwd: root, stdio: "pipe" });
  return tarballIn(folder);
}

/** The package of an earlier revision of this repository, in a tarball. @param {string} revision */
export function packRevision(revision) {
  const folder = newFolder();
  const clone = join(folder, "clone");
  const run = (/** @type {string[]} */ words) => execFileSync("npm", words, { cwd: clone, stdio: "pipe" });
  execFileSync("git", ["clone", "--quiet", "--shared", "--no-checkout", root, clone], { stdio: "pipe" });
  execFileSync("git", ["checkout", "--quiet", "--detach", revision], { cwd: clone, stdio: "pipe" });
  run(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  run(["run", "build:lib"]);
  run(["pack", "--ignore-scripts", "--pack-destination", folder]);
  return tarballIn(folder);
}

/** Installs a tarball as an app does. Returns the folder of the app. @param {string} tarball */
export function installed(tarball) {
  const app = newFolder();
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  const words = ["install", "--no-audit", "--no-fund", resolve(tarball)];
  execFileSync("npm", words, { cwd: app, stdio: "pipe" });
  return app;
}

export function removeFolders() {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "sluice-mixed-fleet-"));
  folders.push(folder);
  return folder;
}

/** @param {string} folder */
function tarballIn(folder) {
  const name = readdirSync(folder).find((one) => one.endsWith(".tgz"));
  if (name === undefined) throw new Error(`${folder} has no package.`);
  return join(folder, name);
}
