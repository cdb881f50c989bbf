// Checks the words of the code, of what the console shows and of the documents, and the names of lib. `node scripts/words.mjs [path …]`
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isCommand, root } from "./project.mjs";
import { isTest, roomOf } from "./rooms-map.mjs";
import { Stop, tell } from "./stop.mjs";
import { visibleTexts } from "./visible-texts.mjs";

const everywhere = [
  ...["app", "components", "lib", "lua", "scripts", "bench", "deploy", "docs"],
  ...["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
];
const isCode = /\.(tsx?|mjs|lua)$/;
/** What the console shows: its texts and comments are checked, and more words are banned from its texts. */
const isShown = /^(app|components|lib\/console)\/.*\.tsx?$/;
const isDeployed = /\.(md|vcl|cfg|conf|acl|sh|yaml|map)$|^deploy\/[^/]+\.json$|\/Dockerfile$/;

/** Words that are hard to read, and their replacements. The glossary of ARCHITECTURE.md has more. */
const banned = [
  { word: /\b(whoever|whom|whomever)\b/i, instead: 'name the subject: "the client", "the caller"' },
  { word: /\b(somebody|anybody|nobody)\b/i, instead: 'name the subject: "another program", "no client"' },
  { word: /\banew\b/i, instead: '"again"' },
  { word: /\bmend(s|ed|ing)?\b/i, instead: '"fix"' },
  { word: /\bmeanwhile\b/i, instead: "say during what" },
  { word: /\bstands?\b/i, instead: '"is"' },
  { word: /\b(is|are|was|were|be|been|being) told\b/i, instead: '"reported", "logged", "sent"' },
  { word: /\bby (it|them)sel(f|ves)\b/i, instead: '"automatically", or nothing' },
  { word: /\bfor good\b/i, instead: '"permanently"' },
  { word: /\bfor ?ever\b/i, instead: '"never expires", "without end"' },
  { word: /\bcom(e|es|ing) up\b/i, instead: '"loads", "starts"' },
  { word: /\b(bite|bites|bitten)\b/i, instead: '"applies", "is enforced"' },
  { word: /\b(dis)?obey(s|ed|ing)?\b|\bdisobedience\b/i, instead: '"enforced", "not enforced"' },
  { word: /\block(s|ed|ing)? the house\b/i, instead: '"lockout protection"' },
  { word: /\bturn(s|ed|ing)? away\b/i, instead: '"denied"' },
];
/** More banned words, in what the console shows. */
const bannedOnScreen = [
  { word: /\beverybody\b/i, instead: '"all clients", "all users"' },
  { word: /\bdoors?\b/i, instead: '"source"' },
  { word: /\bsweeps?\b|\bswept\b|\bsweeping\b/i, instead: '"sync"' },
  { word: /\bwish(ed|es)?\b/i, instead: '"wanted", "in sync", "draft"' },
  { word: /\bforeign\b/i, instead: '"external"' },
  { word: /\bon record\b/i, instead: '"in the audit log"' },
  { word: /\blately\b/i, instead: '"recently"' },
  { word: /\bgo(es)? on\b/i, instead: '"continue", "resume"' },
  { word: /\bread on\b|\bthat is all\b/i, instead: '"Load more", "End of log"' },
  { word: /\bnever-block range/i, instead: '"protected range"' },
  { word: /\btold\b/i, instead: '"reported", "shown"' },
  { word: /\bis void\b/i, instead: '"no longer works"' },
  { word: /\bWrite why\b/i, instead: '"Enter a reason."' },
];
/** Banned parts of names. */
const bannedInNames =
  /^(whom|whoever|anew|mend(s|ed)?|told|bit(e|es|ten)|unbitten|(dis)?obey(s|ed)?|disobedience)$/i;
/** Texts that keep a word, with the reason. */
const exceptions = [
  // The list of words, and its test.
  { path: /^scripts\/words(\.test)?\.mjs$/, word: /./ },
  // A reason in the reply of the console's API.
  { path: /^components\/settings\/never-block-table\.tsx$/, word: /^never-block range$/ },
  // A field of --json, which scripts read.
  { path: /^lib\/cli\/(list-report|commands\/list-show)\.ts$/, word: /^disobeyed$/ },
  // The earlier name of a field that guard.explain returns.
  { path: /^lib\/enforce\/guard\/explain(\.test)?\.ts$/, word: /^disobeyed$/ },
];
/** Type names that two rooms of lib declare, with the reason. */
const sharedTypeNames = new Map([]);

/**
 * Breaches in the files below these folders, as `file:line says "word": write …`.
 * @param {readonly string[]} places @param {string} [folder]
 */
export function wordBreaches(places, folder = root) {
  return places
    .flatMap((place) => filesUnder(folder, place))
    .flatMap((path) => breachesOf(path, readFileSync(join(folder, path), "utf8")));
}

/** @param {string} path @param {string} text */
export function breachesOf(path, text) {
  /** @type {Set<string>} */
  const found = new Set();
  const isKept = (/** @type {string} */ word) =>
    exceptions.some((one) => one.path.test(path) && one.word.test(word));
  /** @param {string} prose @param {number} at @param {typeof banned} words */
  const read = (prose, at, words) => {
    for (const { word, instead } of words) {
      const [said] = word.exec(prose) ?? [];
      if (said !== undefined && !isKept(said)) found.add(`${path}:${at} says "${said}": write ${instead}`);
    }
  };
  for (const shown of isShown.test(path) ? visibleTexts(path, text) : [])
    read(shown.text, shown.line, isTest(path) ? banned : [...banned, ...bannedOnScreen]);
  text.split("\n").forEach((line, index) => {
    read(proseOf(line, path), index + 1, banned);
    // Names of the console's components are not plain yet.
    if (!isCode.test(path) || /^(app|components)\//.test(path)) return;
    const names = line.replace(/\/\/.*|\/\*.*|^\s*\*.*/, "").replace(/"[^"]*"|'[^']*'|`[^`]*`/g, "");
    for (const [name] of names.matchAll(/\b[A-Za-z_$][\w$]*/g))
      if (name.split(/_|(?=[A-Z])/).some((part) => bannedInNames.test(part)) && !isKept(name))
        found.add(`${path}:${index + 1} is named ${name}`);
  });
  return [...found];
}

/** What of a line a person reads: comments, texts, and what is neither code nor markup. @param {string} line @param {string} path */
function proseOf(line, path) {
  // Words in backticks are quoted: commands, names, and the output of other programs.
  if (path.endsWith(".md")) return line.replace(/`[^`]*`/g, "");
  const comment = commentPattern(path).exec(line);
  const texts = [...line.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
  // A template of several lines has no quotes in its middle.
  const isBare = /^\s*[A-Z][a-z]+ [a-z]/.test(line) && !/[;{]$/.test(line);
  return [comment?.[0] ?? "", ...texts.filter((text) => / /.test(text)), isBare ? line : ""].join(" ");
}

/** @param {string} path */
function commentPattern(path) {
  if (path.endsWith(".lua")) return /--.*/;
  return isCode.test(path) ? /\/\/.*|\/\*.*|^\s*\*.*/ : /#.*/;
}

/** Types that two files of lib declare, and file names of more than two rooms. @param {string} [folder] */
export function nameBreaches(folder = root) {
  const files = filesUnder(folder, "lib").filter((path) => path.endsWith(".ts") && !isTest(path));
  return [...doubledTypes(folder, files), ...crowdedNames(files)];
}

/** @param {string} folder @param {readonly string[]} files */
function doubledTypes(folder, files) {
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const path of files) {
    const text = readFileSync(join(folder, path), "utf8");
    for (const [, name = ""] of text.matchAll(/^(?:export )?(?:interface|type|(?:abstract )?class) (\w+)/gm))
      places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...places]
    .filter(([name, where]) => where.length > 1 && !sharedTypeNames.has(name))
    .map(([name, where]) => `lib declares the type ${name} ${where.length} times: ${where.join(", ")}`);
}

/** @param {readonly string[]} files */
function crowdedNames(files) {
  /** @type {Map<string, Set<string>>} */
  const rooms = new Map();
  // An action is named for what it changes, as the room that changes it.
  for (const path of files.filter((path) => !path.startsWith("lib/console/actions/")))
    rooms.set(basename(path), (rooms.get(basename(path)) ?? new Set()).add(roomOf(path)));
  return [...rooms]
    .filter(([, where]) => where.size > 2)
    .map(([name, where]) => `${name} is a file name of ${where.size} rooms: ${[...where].join(", ")}`);
}

/** @param {string} folder @param {string} path @returns {string[]} */
function filesUnder(folder, path) {
  if (statSync(join(folder, path)).isDirectory())
    return readdirSync(join(folder, path))
      .sort()
      .flatMap((name) => filesUnder(folder, `${path}/${name}`));
  return (isCode.test(path) || isDeployed.test(path)) && !path.includes(".generated.") ? [path] : [];
}

if (isCommand(import.meta.url)) {
  const places = process.argv.slice(2);
  const words = places.length > 0 ? wordBreaches(places) : wordBreaches(everywhere);
  const found = places.length > 0 ? words : [...words, ...nameBreaches()];
  if (found.length > 0) process.exitCode = tell(new Stop(`Words:\n${found.join("\n")}`));
  else console.log("Every word is plain.");
}
