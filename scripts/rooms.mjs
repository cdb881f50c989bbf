// Checks that every file keeps to its room, by the rules of rooms-rules.mjs. `node scripts/rooms.mjs [folder]`
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isCommand, root } from "./project.mjs";
import { everywhereRules, isRoute, stateRules } from "./rooms-console.mjs";
import {
  filesOfApp,
  filesOfRooms,
  filesOfScripts,
  filesOutsideRooms,
  isTest,
  roomOf,
  targetOf,
} from "./rooms-map.mjs";
import {
  computedPatternRules,
  importRules,
  keyText,
  patternRules,
  textRules,
  vagueName,
} from "./rooms-rules.mjs";
import { treeBreaches } from "./rooms-tree.mjs";
import { sourceFacts } from "./source-facts.mjs";
import { Stop, tell } from "./stop.mjs";

/** Breaches, as `file:line says X: rule`.
 * @param {string} [folder]
 */
export function breaches(folder = root) {
  const files = filesOfRooms(folder);
  const named = files
    .filter((path) => vagueName.test(path))
    .map((path) => `${path}:1 is a name that tells nothing`);
  const declared = declaredPackages(folder);
  return [
    ...named,
    ...filesOfApp(folder)
      .filter((path) => !isRoute(path))
      .map((path) => `${path}:1 is no route: app holds routes alone`),
    ...[...files, ...filesOfScripts(folder), ...filesOutsideRooms(folder)].flatMap((path) =>
      breachesOf({ folder, path, declared }),
    ),
    ...treeBreaches(folder),
  ];
}

/** @param {{ folder: string; path: string; declared: string[] }} where */
function breachesOf({ folder, path, declared }) {
  if (path.endsWith(".lua")) return luaBreaches(folder, path);
  const file = { path, room: roomOf(path), isTest: isTest(path), declared };
  return sourceFacts(join(folder, path)).flatMap((fact) => {
    const target = fact.kind === "import" ? targetOf(path, fact.value) : undefined;
    return rulesFor(file, fact)
      .filter((rule) => rule.isBroken(file, fact, target))
      .map((rule) => `${path}:${fact.line} ${verbs[fact.kind]} ${fact.value}: ${rule.says}`);
  });
}

/** Folders whose files belong to no room. */
const outside = ["scripts", "e2e", "bench", "deploy"];

/** Rules for one kind of fact. @param {{ room: string }} file @param {import("./source-facts.mjs").Fact} fact */
function rulesFor({ room }, { kind }) {
  const isOutside = outside.includes(room);
  if (kind === "import") return isOutside ? everywhereRules : [...importRules, ...textRules];
  if (isOutside && room !== "scripts") return [];
  if (kind === "state") return stateRules;
  if (kind === "pattern") return patternRules;
  if (kind === "computed pattern") return computedPatternRules;
  return isOutside ? [] : textRules;
}

/** Packages that are installed with the library. @param {string} folder @returns {string[]} */
function declaredPackages(folder) {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, "lib/package.json"), "utf8"),
  );
  return Object.keys({ ...dependencies, ...peerDependencies });
}

const verbs = {
  import: "imports",
  env: "reads",
  interval: "calls",
  text: "says",
  log: "logs",
  state: "holds",
  "computed pattern": "makes a pattern of a text by",
  pattern: "matches",
};

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
