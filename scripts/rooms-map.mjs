import { existsSync, readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";

const places = ["app", "components", "lib", "lua", "proxy.ts", "instrumentation.ts"];
const checked = /\.(tsx?|mjs|lua)$/;

/** Every file that is checked for its room. Generated files are left out.
 * @param {string} folder
 */
export function filesOfRooms(folder) {
  return places
    .flatMap((place) => under(folder, place))
    .filter((path) => checked.test(path) && !path.includes(".generated."));
}

/** Every file of app, whatever its ending. @param {string} folder */
export const filesOfApp = (folder) => under(folder, "app");

/** Files of the npm commands, which belong to no room. @param {string} folder */
export function filesOfScripts(folder) {
  return under(folder, "scripts").filter((path) => checked.test(path) && !path.endsWith(".test.mjs"));
}

/** Tests of the whole, measurements and what deploys, which belong to no room. @param {string} folder */
export function filesOutsideRooms(folder) {
  return ["e2e", "bench", "deploy"].flatMap((place) => under(folder, place)).filter((path) => isSource(path));
}

/** @param {string} path */
const isSource = (path) => /\.(tsx?|mjs)$/.test(path);

/** @param {string} folder @param {string} path @returns {string[]} */
function under(folder, path) {
  if (!existsSync(join(folder, path))) return [];
  if (!statSync(join(folder, path)).isDirectory()) return [path];
  return readdirSync(join(folder, path))
    .filter((name) => !/^(node_modules|\.next)$/.test(name))
    .flatMap((name) => under(folder, `${path}/${name}`));
}

/** Folders of lib that hold rooms. */
const floors = ["enforce", "manage", "observe"];

/** The room of a file: `app`, `components/lists`, `lib/ip`, `lib/enforce/guard`. A file of lib outside of all rooms is its own room.
 * @param {string} path
 */
export function roomOf(path) {
  const [place = "", ...inner] = path.split("/");
  if (place === "components" && inner.length > 1) return `components/${inner[0]}`;
  if (place !== "lib") return place;
  const depth = floors.includes(inner[0] ?? "") ? 2 : 1;
  return inner.length > depth ? ["lib", ...inner.slice(0, depth)].join("/") : path;
}

/** File of the project that an import names in any spelling. Undefined for a package.
 * @param {string} from @param {string} specifier
 */
export function targetOf(from, specifier) {
  const path = specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : aliased(specifier);
  return path === undefined ? undefined : { path, room: roomOf(path) };
}

/** `@/lib/ip`, `lib/ip`, `/lib/ip`: spelled from the project's folder. @param {string} specifier */
function aliased(specifier) {
  const path = specifier.replace(/^(@\/|~\/|\/)/, "");
  return places.includes(path.split("/")[0] ?? "") ? path : undefined;
}

/** Whether a file only serves tests. @param {string} path */
export const isTest = (path) =>
  /(\.test\.tsx?|(^|\/)vitest\.[\w.-]+\.ts|(^|\/)testing(-\w+)*\.ts)$/.test(path);
