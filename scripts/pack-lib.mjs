// `npm run pack:lib`: builds the library and packs it. Takes the options of npm pack.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { ensureLib } from "./build-lib.mjs";
import { packageEntries, packageTypes } from "./closure.mjs";
import { inProject, isCommand, root } from "./project.mjs";
import { Stop, tell } from "./stop.mjs";

/** Builds the library, and writes what an app or the command line can reach into a folder, as short as it may be.
 * @param {string} folder
 */
export async function layOutPackage(folder) {
  await ensureLib();
  const manifest = JSON.parse(readFileSync(inProject("lib/package.json"), "utf8"));
  for (const [name, code] of await bundled(manifest)) write(join(folder, name), code);
  copy(`dist/${shownByCompilers}`, join(folder, shownByCompilers));
  for (const name of packageTypes(manifest)) copy(`dist/${name}`, join(folder, name));
  for (const name of ["CHANGELOG.md", "LICENSE"]) copy(name, join(folder, name));
  writeFileSync(join(folder, "README.md"), withoutLocalLinks(readFileSync(inProject("README.md"), "utf8")));
  const packed = { ...manifest, ...repositoryFields(originOf(root)) };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(packed, null, 2)}\n`);
}

/** Its comment is what a compiler for the Edge runtime shows, and its import must fail. */
const shownByCompilers = "enforce/guard/edge-runtime.js";

/**
 * Entries, and chunks of what several of them share: an app reads a tenth of the files, and starts sooner. What apps run can be read in a
 * debugger and in stack traces: source maps with their sources would take twice as much room. The command's own code is minified.
 * @param {Parameters<typeof packageEntries>[0]} manifest
 */
async function bundled(manifest) {
  const entries = packageEntries(manifest).map(builtFrom);
  const input = entries.filter((name) => name !== shownByCompilers).map(nameAndFile);
  const external = (/** @type {string} */ id) => !/^[./]/.test(id);
  const bundle = await rolldown({ input: Object.fromEntries(input), external, platform: "node" });
  const { output } = await bundle.generate({
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
  });
  const chunks = output.filter((one) => one.type === "chunk");
  const ofCommand = new Set(Object.values(manifest.bin));
  const ofApps = reached(
    chunks,
    entries.filter((name) => !ofCommand.has(name)),
  );
  return chunks.map(
    ({ fileName, code }) =>
      /** @type {const} */ ([fileName, shortened(fileName, code, ofApps.has(fileName))]),
  );
}

/** What is built of a source. @param {string} path */
const builtFrom = (path) => path.replace(/^lib\/(.*)\.ts$/, "$1.js");

/** @param {string} name @returns {[string, string]} */
const nameAndFile = (name) => [name.replace(/\.js$/, ""), inProject("dist", name)];

/** @param {readonly import("rolldown").OutputChunk[]} chunks @param {readonly string[]} entries */
function reached(chunks, entries) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = [...entries];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const chunk = byName.get(name);
    waiting.push(...(chunk?.imports ?? []), ...(chunk?.dynamicImports ?? []));
  }
  return found;
}

/** Without comments. @param {string} name @param {string} code @param {boolean} isReadable */
function shortened(name, code, isReadable) {
  const readable = { compress: false, mangle: false, codegen: { removeWhitespace: false } };
  const short = minifySync(name, code, { module: true, ...(isReadable && readable) });
  if (short.errors.length > 0) throw new Stop(`${name} cannot be minified: ${short.errors[0]?.message}`);
  return short.code;
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** @param {string} from @param {string} to */
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(inProject(from), to);
}

/** Pictures and files of the repository are not in the package: their links would lead nowhere. @param {string} readme */
export function withoutLocalLinks(readme) {
  const text = readme.replace(/^!\[[^\]\n]{0,300}\]\((?!https:)[^)\n]{0,300}\)\n\n?/gm, "");
  return text.replace(/\[([^\]\n]{0,300})\]\((?!https:|#|CHANGELOG\.md|LICENSE)[^)\n]{0,300}\)/g, "$1");
}

/** Where this clone came from. @param {string} folder */
function originOf(folder) {
  try {
    return execFileSync("git", ["remote", "get-url", "origin"], { cwd: folder, stdio: "pipe" })
      .toString()
      .trim();
  } catch {
    return ""; // Not a clone, or a machine without git.
  }
}

/** `repository`, `homepage` and `bugs` for an address that others can open, too. @param {string} origin */
export function repositoryFields(origin) {
  const [, host, path] =
    /^(?:https:\/\/|ssh:\/\/git@|git@)([^/:@]+)[/:](.+?)(?:\.git)?\/?$/.exec(origin) ?? [];
  if (host === undefined || path === undefined) return {};
  const url = `https://${host}/${path}`;
  return {
    repository: { type: "git", url: `git+${url}.git`, directory: "lib" },
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
  };
}

if (isCommand(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-pack-"));
  try {
    await layOutPackage(folder);
    execFileSync("npm", ["pack", folder, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" });
  } catch (error) {
    process.exitCode = tell(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
