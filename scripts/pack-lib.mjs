// `npm run pack:lib`: builds the library and packs it. Takes the options of npm pack.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { minifySync } from "rolldown/utils";
import { ensureLib } from "./build-lib.mjs";
import { closureOf, packageEntries, packageTypes } from "./closure.mjs";
import { inProject, isCommand, root } from "./project.mjs";
import { Stop, tell } from "./stop.mjs";

/** Builds the library, and writes the files that an app or the command line can reach into a folder, as short as they may be.
 * @param {string} folder
 */
export async function layOutPackage(folder) {
  await ensureLib();
  const manifest = JSON.parse(readFileSync(inProject("lib/package.json"), "utf8"));
  const ofApps = new Set(closureOf(packageEntries({ ...manifest, bin: {} })));
  for (const path of closureOf(packageEntries(manifest))) {
    const name = builtFrom(path);
    write(join(folder, name), shortened(name, ofApps.has(path)));
  }
  for (const name of packageTypes(manifest)) copy(`dist/${name}`, join(folder, name));
  for (const name of ["CHANGELOG.md", "LICENSE"]) copy(name, join(folder, name));
  writeFileSync(join(folder, "README.md"), withoutLocalLinks(readFileSync(inProject("README.md"), "utf8")));
  const packed = { ...manifest, ...repositoryFields(originOf(root)) };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(packed, null, 2)}\n`);
}

/** What is built of a source. @param {string} path */
const builtFrom = (path) => path.replace(/^lib\/(.*)\.ts$/, "$1.js");

/** Its comment is what a compiler for the Edge runtime shows. */
const shownByCompilers = "enforce/guard/edge-runtime.js";

/**
 * A built file. What apps run is left as it is, without comments, so that it can be read in a debugger and in stack traces: source maps
 * with their sources would take twice as much room. The rest is the command's alone, and is minified.
 * @param {string} name @param {boolean} isReadable
 */
function shortened(name, isReadable) {
  const readable = { compress: false, mangle: false, codegen: { removeWhitespace: false } };
  const source = readFileSync(inProject("dist", name), "utf8");
  if (name === shownByCompilers) return source.replace(/\/\/# sourceMappingURL.*/, "");
  const { code, errors } = minifySync(name, source, { module: true, ...(isReadable && readable) });
  if (errors.length > 0) throw new Stop(`${name} cannot be minified: ${errors[0]?.message}`);
  return code;
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
