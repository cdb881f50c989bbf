// Checks that every file keeps to its room, by the rules of rooms-rules.mjs. `node scripts/rooms.mjs [folder]`
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isCommand, root } from "./project.mjs";
import { filesOfRooms, isTest, roomOf, targetOf } from "./rooms-map.mjs";
import { importRules, keyText, textRules, vagueName } from "./rooms-rules.mjs";
import { sourceFacts } from "./source-facts.mjs";
import { Stop, tell } from "./stop.mjs";

/** Every breach, as `file:line says X: rule`.
 * @param {string} [folder]
 */
export function breaches(folder = root) {
  const files = filesOfRooms(folder);
  const named = files
    .filter((path) => vagueName.test(path))
    .map((path) => `${path}:1 is a name that tells nothing`);
  const declared = declaredPackages(folder);
  return [...named, ...files.flatMap((path) => breachesOf({ folder, path, declared }))];
}

/** @param {{ folder: string; path: string; declared: string[] }} where */
function breachesOf({ folder, path, declared }) {
  if (path.endsWith(".lua")) return luaBreaches(folder, path);
  const file = { path, room: roomOf(path), isTest: isTest(path), declared };
  return sourceFacts(join(folder, path)).flatMap((fact) => {
    const target = fact.kind === "import" ? targetOf(path, fact.value) : undefined;
    const rules = fact.kind === "import" ? [...importRules, ...textRules] : textRules;
    return rules
      .filter((rule) => rule.isBroken(file, fact, target))
      .map((rule) => `${path}:${fact.line} ${verbs[fact.kind]} ${fact.value}: ${rule.says}`);
  });
}

/** What comes along when the package is installed. @param {string} folder @returns {string[]} */
function declaredPackages(folder) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.keys({ ...dependencies, ...peerDependencies });
}

const verbs = { import: "imports", env: "reads", text: "says" };

/** @param {string} folder @param {string} path */
function luaBreaches(folder, path) {
  return readFileSync(join(folder, path), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const spelled = [...line.replace(/--.*/, "").matchAll(/["']([^"']*)["']/g)].find(([, text]) =>
        keyText.test(text ?? ""),
      );
      return spelled
        ? [`${path}:${index + 1} says ${spelled[1]}: keys reach a script only through KEYS`]
        : [];
    });
}

if (isCommand(import.meta.url)) {
  const found = breaches(process.argv[2]);
  if (found.length > 0) process.exitCode = tell(new Stop(`Rooms:\n${found.join("\n")}`));
  else console.log("Every file keeps to its room.");
}
