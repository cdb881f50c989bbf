import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, where package.json stands. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** A path inside the project.
 * @param {string[]} parts
 */
export const inProject = (...parts) => join(root, ...parts);

/** A program that npm has installed.
 * @param {string} name
 */
export const installed = (name) => inProject("node_modules", ".bin", name);

/** Whether a module is the command that was typed, and not imported by one.
 * @param {string} moduleUrl
 */
export const isCommand = (moduleUrl) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
