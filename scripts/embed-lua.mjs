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

/** @param {string} folder */
function generate(folder) {
  const names = readdirSync(join(folder, "lua"))
    .filter((name) => name.endsWith(".lua"))
    .sort();
  const entries = names.map((name) => {
    const text = readFileSync(join(folder, "lua", name), "utf8");
    checkHeader(name, text);
    return `  ${camelCase(name)}: ${JSON.stringify(text)},\n`;
  });
  return `// Written by scripts/embed-lua.mjs from lua/*.lua.\nexport const lua = {\n${entries.join("")}} as const;\n`;
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
