import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, which contains package.json. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** Path inside the project.
 * @param {string[]} parts
 */
export const inProject = (...parts) => join(root, ...parts);

/** Path of a program that npm has installed.
 * @param {string} name
 */
export const installed = (name) => inProject("node_modules", ".bin", name);

/** Whether a module is run as a command, and not imported.
 * @param {string} moduleUrl
 */
export const isCommand = (moduleUrl) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
