import { readFileSync } from "node:fs";
import { run } from "./children.mjs";
import { inProject, root } from "./project.mjs";
import { alreadyThere, step } from "./steps.mjs";

/** @typedef {Record<string, { version?: string; integrity?: string; optional?: boolean; link?: boolean }>} Packages */

/** Installs the packages of package-lock.json that are missing. */
export async function ensurePackages() {
  await step("packages", async (say) => {
    const missing = missingPackages(
      packagesOf("package-lock.json"),
      packagesOf("node_modules/.package-lock.json"),
    );
    if (missing.length === 0) return alreadyThere();
    say(`npm ci (${missing.length} to install)`);
    // With NODE_ENV=production npm would skip packages that the build uses.
    await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: root });
    return `${missing.length} installed`;
  });
}

/** Packages of the lock that the folder does not have, or has in another version.
 * @param {Packages} wanted @param {Packages} present
 */
export function missingPackages(wanted, present) {
  return Object.entries(wanted)
    .filter(([path, { optional }]) => path !== "" && !optional)
    .filter(([path, { version, integrity }]) => {
      const there = present[path];
      return there === undefined || there.version !== version || there.integrity !== integrity;
    })
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
}

/** @param {string} lockFile @returns {Packages} */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(inProject(lockFile), "utf8")).packages;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}
