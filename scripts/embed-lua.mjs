import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCommand, root } from "./project.mjs";
import { Stop, tell } from "./stop.mjs";

const generatedFile = "lib/redis/lua.generated.ts";

/** Writes the scripts of lua/ into a module, so that nothing has to read files at run time. True if it changed.
 * @param {string} [folder]
 */
export function embedLua(folder = root) {
  const path = join(folder, generatedFile);
  const wanted = generate(folder);
  if (existsSync(path) && readFileSync(path, "utf8") === wanted) return false;
  writeFileSync(path, wanted);
  return true;
}

/** Fails if the module is not what the scripts say now.
 * @param {string} [folder]
 */
export function checkLua(folder = root) {
  const path = join(folder, generatedFile);
  if (existsSync(path) && readFileSync(path, "utf8") === generate(folder)) return;
  throw new Stop(`${generatedFile} is not what lua/ says now. Write it anew: node scripts/embed-lua.mjs`);
}

/** A script that another one includes is a part of it, and no script of its own. @param {string} folder */
function generate(folder) {
  const names = readdirSync(join(folder, "lua"))
    .filter((name) => name.endsWith(".lua"))
    .sort();
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, "lua", name), "utf8")]));
  for (const [name, text] of texts) checkHeader(name, text);
  const parts = new Set([...texts.values()].flatMap(includes));
  const entries = names
    .filter((name) => !parts.has(name))
    .map((name) => `  ${camelCase(name)}: ${JSON.stringify(flatten(name, texts))},\n`);
  return `// Written by scripts/embed-lua.mjs from lua/*.lua.\nexport const lua = {\n${entries.join("")}} as const;\n`;
}

const include = /^[ ]*-- include: (\S+)$/gm;

/** @param {string} text */
const includes = (text) => [...text.matchAll(include)].map(([, part]) => part ?? "");

/**
 * Puts each part where it is asked for, so that Redis is sent one text.
 * @param {string} name @param {ReadonlyMap<string, string>} texts @param {readonly string[]} asking
 * @returns {string}
 */
function flatten(name, texts, asking = []) {
  const text = texts.get(name);
  if (text === undefined) throw new Stop(`lua/${asking.at(-1)} includes ${name}, which is not in lua/.`);
  if (asking.includes(name)) throw new Stop(`lua/${name} includes itself: ${[...asking, name].join(" → ")}.`);
  return text.replace(include, (_, part) => flatten(part, texts, [...asking, name]).trimEnd());
}

/** @param {string} name @param {string} text */
function checkHeader(name, text) {
  if (!/^-- *\S/.test(text)) {
    throw new Stop(`lua/${name} must begin with a comment: its purpose, KEYS, ARGV and reply.`);
  }
}

/** @param {string} name */
const camelCase = (name) =>
  name.slice(0, -".lua".length).replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

if (isCommand(import.meta.url)) {
  try {
    if (process.argv.includes("--check")) checkLua();
    else console.log(embedLua() ? `wrote ${generatedFile}` : `${generatedFile} is up to date`);
  } catch (error) {
    process.exitCode = tell(error);
  }
}
