import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "./project.mjs";
import { sourceFacts } from "./source-facts.mjs";

/** Files that entries reach through imports at run time. With `withTypes`, also through imports of types.
 * @param {readonly string[]} entries
 * @param {{ folder?: string; withTypes?: boolean; fileOf?: (path: string) => string }} [options] `fileOf` is the file that an import means
 */
export function closureOf(entries, { folder = root, withTypes = false, fileOf = (path) => path } = {}) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path) || !existsSync(join(folder, path))) continue;
    found.add(path);
    for (const { kind, value, isTypeOnly } of sourceFacts(join(folder, path)))
      if (kind === "import" && value.startsWith(".") && (withTypes || !isTypeOnly))
        waiting.push(fileOf(posix.join(posix.dirname(path), value)));
  }
  return [...found].sort();
}

/** Sources of the entries in the library's manifest: those for apps, and the command.
 * @param {{ exports: Record<string, unknown>; bin: Record<string, string> }} manifest
 */
export function packageEntries({ exports, bin }) {
  return [...new Set([...textsIn(exports), ...Object.values(bin)])]
    .filter((path) => path.endsWith(".js"))
    .map((path) => posix.join("lib", path.replace(/\.js$/, ".ts")));
}

/** Declarations that apps can see: those of the entries, and what these import. In the built library.
 * @param {{ exports: Record<string, unknown> }} manifest
 */
export function packageTypes({ exports }) {
  const entries = textsIn(exports).filter((path) => path.endsWith(".d.ts"));
  const fileOf = (/** @type {string} */ path) => path.replace(/\.[jt]s$/, ".d.ts");
  return closureOf(
    entries.map((path) => posix.normalize(path)),
    { folder: join(root, "dist"), withTypes: true, fileOf },
  );
}

/** @param {unknown} value @returns {string[]} */
function textsIn(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
