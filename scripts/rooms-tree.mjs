import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { closureOf, packageEntries } from "./closure.mjs";
import { inBrowser } from "./rooms-console.mjs";
import { isTest, roomOf } from "./rooms-map.mjs";
import { sourceFacts } from "./source-facts.mjs";

/** Limit of files that a protected app loads with `import "sluice"`. */
const mostFilesInApp = 110;
const notInApp = /^lib\/(manage|observe|console|cli|queries)\//;
/** Tracked files without a file extension. */
const knownWithoutEnding = /(^|\/)(LICENSE|Dockerfile|\.[^/.]+)$|^\.ci\/run$/;

/** Breaches of rules about the whole tree, as `place says X: rule`. @param {string} folder */
export function treeBreaches(folder) {
  return [
    ...appBreaches(folder),
    ...browserBreaches(folder),
    ...actionBreaches(folder),
    ...packageBreaches(folder),
    ...endingBreaches(folder),
    ...idleFileBreaches(folder),
  ];
}

/** @param {string} folder */
function appBreaches(folder) {
  const { bin: _, ...manifest } = readManifest(folder, "lib/package.json");
  const entries = packageEntries({ ...manifest, bin: {} });
  const outside = closureOf(entries, { folder })
    .filter((path) => notInApp.test(path))
    .map((path) => `${path}:1 is loaded by protected apps, which load no file of ${roomOf(path)}`);
  const { default: entry = "" } = manifest.exports["."] ?? {};
  const count = closureOf(packageEntries({ exports: { entry }, bin: {} }), { folder }).length;
  if (count < mostFilesInApp) return outside;
  const says = `lib/package.json:1 lets a protected app load ${count} files: fewer than ${mostFilesInApp} are allowed`;
  return [...outside, says];
}

/** What a browser loads of lib needs neither Node nor Redis. @param {string} folder */
function browserBreaches(folder) {
  return closureOf(inBrowser, { folder }).flatMap((path) =>
    sourceFacts(join(folder, path))
      .filter(({ kind, value, isTypeOnly }) => kind === "import" && !isTypeOnly && needsNode.test(value))
      .map(({ line, value }) => `${path}:${line} imports ${value}: a browser loads this file`),
  );
}

const needsNode = /^(node:|ioredis$|next\b)/;
const actions = "lib/console/actions";

/** Components import actions, so whatever else is beside them would be loaded by browsers. @param {string} folder */
function actionBreaches(folder) {
  if (!existsSync(join(folder, actions))) return [];
  return readdirSync(join(folder, actions))
    .map((name) => `${actions}/${name}`)
    .filter((path) => !isTest(path) && !readFileSync(join(folder, path), "utf8").startsWith('"use server";'))
    .map((path) => `${path}:1 is no server action: ${actions} holds those alone`);
}

/** The library's manifest names what lib imports, in the versions that the console is tested with. @param {string} folder */
function packageBreaches(folder) {
  const console = readManifest(folder, "package.json");
  const library = readManifest(folder, "lib/package.json");
  const texts = sourcesUnder(folder, "lib").map((path) => readFileSync(join(folder, path), "utf8"));
  return [
    ...Object.keys(library.dependencies)
      .filter((name) => !texts.some((text) => text.includes(`"${name}"`)))
      .map((name) => `lib/package.json:1 names ${name}: nothing in lib imports it`),
    ...Object.entries(library.dependencies)
      .filter(([name, version]) => console.dependencies[name] !== version)
      .map(([name]) => `lib/package.json:1 names ${name} in another version than package.json`),
  ];
}

/** @param {string} folder @param {string} path @returns {string[]} */
function sourcesUnder(folder, path) {
  if (!statSync(join(folder, path)).isDirectory()) return path.endsWith(".ts") ? [path] : [];
  return readdirSync(join(folder, path)).flatMap((name) => sourcesUnder(folder, `${path}/${name}`));
}

/** @param {string} folder */
function endingBreaches(folder) {
  return trackedFiles(folder)
    .filter((path) => extname(path) === "" && !knownWithoutEnding.test(path))
    .map((path) => `${path}:1 has no ending in its name`);
}

/** A file that is no module is named by another file: lua/lease-end.lua as `lua.leaseEnd`. @param {string} folder */
function idleFileBreaches(folder) {
  const files = trackedFiles(folder).filter((path) => existsSync(join(folder, path)));
  const texts = files.map((path) => ({ path, text: readFileSync(join(folder, path), "latin1") }));
  return files
    .filter((path) => path.includes("/") && !path.startsWith("."))
    .filter((path) => !isModule.test(path) && !isFoundByName.test(path))
    .filter((path) => !texts.some((one) => one.path !== path && one.text.includes(spelledName(path))))
    .map((path) => `${path}:1 is named by no other file`);
}

const isModule = /\.(tsx?|mjs|css)$/;
/** Names that npm, TypeScript and Docker look for. */
const isFoundByName = /(^|\/)(package|tsconfig)\.json$|\.dockerignore$/;

/** @param {string} path */
function spelledName(path) {
  if (!/^lua\/[^/]+$/.test(path)) return basename(path);
  return `lua.${basename(path, ".lua").replace(/-(.)/g, (_, letter) => letter.toUpperCase())}`;
}

/** @param {string} folder @returns {string[]} */
function trackedFiles(folder) {
  if (!existsSync(join(folder, ".git"))) return [];
  return execFileSync("git", ["ls-files", "-z"], { cwd: folder }).toString().split("\0").filter(Boolean);
}

/** @param {string} folder @param {string} path */
function readManifest(folder, path) {
  const { dependencies = {}, exports = {}, bin = {} } = JSON.parse(readFileSync(join(folder, path), "utf8"));
  return { dependencies, exports, bin };
}
