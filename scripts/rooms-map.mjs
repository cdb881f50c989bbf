import { existsSync, readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";

const places = ["app", "components", "lib", "lua", "proxy.ts", "instrumentation.ts"];
const checked = /\.(tsx?|mjs|lua)$/;

/** Every file that has to keep to a room. What tools generate is theirs.
 * @param {string} folder
 */
export function filesOfRooms(folder) {
  return places
    .flatMap((place) => under(folder, place))
    .filter((path) => checked.test(path) && !path.includes(".generated."));
}

/** @param {string} folder @param {string} path @returns {string[]} */
function under(folder, path) {
  if (!existsSync(join(folder, path))) return [];
  if (!statSync(join(folder, path)).isDirectory()) return [path];
  return readdirSync(join(folder, path)).flatMap((name) => under(folder, `${path}/${name}`));
}

/** The room of a file: `app`, `lib/ip`; a file that stands in no room is its own.
 * @param {string} path
 */
export function roomOf(path) {
  const [place = "", inner, file] = path.split("/");
  return place === "lib" && file !== undefined ? `lib/${inner}` : place === "lib" ? path : place;
}

/** The file of the project that an import means, however it is spelled; nothing for a package.
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
