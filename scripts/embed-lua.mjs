import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCommand, root } from "./project.mjs";
import { Stop, tell } from "./stop.mjs";

const generatedFile = "lib/redis/lua.generated.ts";

/** Writes the scripts of lua/ into a module, without comments, so that no file is read at run time. Returns whether the module changed.
 * @param {string} [folder]
 */
export function embedLua(folder = root) {
  const path = join(folder, generatedFile);
  const wanted = generate(folder);
  if (existsSync(path) && readFileSync(path, "utf8") === wanted) return false;
  writeFileSync(path, wanted);
  return true;
}

/** Throws if the module differs from the scripts.
 * @param {string} [folder]
 */
export function checkLua(folder = root) {
  const path = join(folder, generatedFile);
  if (existsSync(path) && readFileSync(path, "utf8") === generate(folder)) return;
  throw new Stop(`${generatedFile} differs from lua/. To write it again, run: node scripts/embed-lua.mjs`);
}

/** @param {string} folder */
function generate(folder) {
  const scripts = readTexts(folder, "lua");
  const parts = readTexts(folder, "lua/parts");
  const included = new Set([...scripts, ...parts].flatMap(([, text]) => includes(text)));
  const idle = [...parts.keys()].find((name) => !included.has(name));
  if (idle !== undefined) throw new Stop(`lua/parts/${idle} is included by no script.`);
  const entries = [...scripts].map(
    ([name, text]) =>
      `  ${camelCase(name)}: ${JSON.stringify(withoutComments(flatten(`lua/${name}`, text, parts)))},\n`,
  );
  return `// Written by scripts/embed-lua.mjs from lua/*.lua.\nexport const lua = {\n${entries.join("")}} as const;\n`;
}

/** Name → text, in the order of the names. @param {string} folder @param {string} place */
function readTexts(folder, place) {
  if (!existsSync(join(folder, place))) return new Map();
  const names = readdirSync(join(folder, place)).filter((name) => name.endsWith(".lua"));
  const texts = new Map(names.sort().map((name) => [name, readFileSync(join(folder, place, name), "utf8")]));
  for (const [name, text] of texts) checkHeader(`${place}/${name}`, text);
  return texts;
}

/** Lines that are a comment, and nothing else. @param {string} text */
const withoutComments = (text) => text.replace(/^[ ]*--.*\n/gm, "");

const include = /^[ ]*-- include: (\S+)$/gm;

/** @param {string} text */
const includes = (text) => [...text.matchAll(include)].map(([, part]) => part ?? "");

/**
 * Replaces each include with its part of lua/parts, so that Redis gets one text.
 * @param {string} path @param {string} text @param {ReadonlyMap<string, string>} parts @param {readonly string[]} asking
 * @returns {string}
 */
function flatten(path, text, parts, asking = []) {
  const chain = [...asking, path];
  return text.replace(include, (_, name) => {
    const part = parts.get(name);
    if (part === undefined) throw new Stop(`${path} includes ${name}, which is not in lua/parts/.`);
    if (chain.includes(`lua/parts/${name}`))
      throw new Stop(`lua/parts/${name} includes itself: ${[...chain, name].join(" → ")}.`);
    return flatten(`lua/parts/${name}`, part, parts, chain).trimEnd();
  });
}

/** @param {string} path @param {string} text */
function checkHeader(path, text) {
  if (!/^-- *\S/.test(text)) {
    throw new Stop(`${path} must begin with a comment: its purpose, KEYS, ARGV and reply.`);
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
