import { readFileSync } from "node:fs";
import { run } from "./children.mjs";
import { inProject, root } from "./project.mjs";
import { alreadyThere, step } from "./steps.mjs";

/** @typedef {Record<string, { version?: string; integrity?: string; optional?: boolean; link?: boolean }>} Packages */

/** Installs the packages of package-lock.json unless they are there. */
export async function ensurePackages() {
  await step("packages", async (say) => {
    const missing = missingPackages(
      packagesOf("package-lock.json"),
      packagesOf("node_modules/.package-lock.json"),
    );
    if (missing.length === 0) return alreadyThere();
    say(`npm ci (${missing.length} to install)`);
    // With NODE_ENV=production npm would leave out what the build needs.
    await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: root });
    return `${missing.length} installed`;
  });
}

/** Names that the lock wants and the folder lacks or has in another version.
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
