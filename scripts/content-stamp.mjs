import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Digest of these files and folders. Tests are left out, because the build does not contain them.
 * @param {string} folder @param {string[]} paths
 */
export function contentStamp(folder, paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((path) => filesUnder(folder, path)).sort()) {
    hash.update(`${path}\0`).update(
      createHash("sha256")
        .update(readFileSync(join(folder, path)))
        .digest(),
    );
  }
  return hash.digest("hex");
}

/** Does the work unless the stamp of the last successful run is the same. Returns whether the work was done.
 * @param {string} stampFile @param {string} stamp @param {() => Promise<void>} work
 */
export async function unlessStamped(stampFile, stamp, work) {
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return false;
  await work();
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
  return true;
}

/** @param {string} folder @param {string} path @returns {string[]} */
function filesUnder(folder, path) {
  const full = join(folder, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .filter((name) => !/\.test\.\w+$/.test(name))
    .flatMap((name) => filesUnder(folder, `${path}/${name}`));
}
