import { costlyRun } from "./pattern-cost.mjs";
import { consoleRules, everywhereRules } from "./rooms-console.mjs";
import { isTest } from "./rooms-map.mjs";

const base = ["ip", "redis"];
const enforce = [...base, "enforce/*"];
const manage = [...enforce, "manage/audit"];
const observe = [...enforce, "manage/*"];

/** Rooms of lib that a room of lib may import. `enforce/*` is every room of enforce. With `:types`, only types. */
const mayImport = {
  ip: [],
  redis: ["ip:types"],
  "enforce/lists": base,
  "enforce/algorithms": ["enforce/limits:types"],
  "enforce/limits": [...base, "enforce/algorithms"],
  "enforce/memcached": [...base, "enforce/algorithms", "enforce/limits"],
  "enforce/policy": [...base, "enforce/algorithms", "enforce/limits:types"],
  "enforce/references": [...base, "enforce/lists"],
  "enforce/customers": [...base, "enforce/policy"],
  "enforce/bans": [...base, "enforce/lists", "enforce/policy"],
  "enforce/stats": [...base, "enforce/policy:types"],
  "enforce/edge": [...base, "enforce/policy", "enforce/stats"],
  "enforce/guard": enforce,
  "enforce/frameworks": enforce,
  "enforce/beside": enforce,
  "enforce/stores": enforce,
  "manage/audit": enforce,
  "manage/lists": [...manage, "manage/policy"],
  "manage/customers": manage,
  "manage/overrides": manage,
  "manage/policy": manage,
  "manage/users": manage,
  "manage/links": manage,
  "manage/tokens": [...manage, "manage/users"],
  "manage/references": manage,
  "manage/denials": manage,
  "manage/notes": [...manage, "manage/users"],
  "manage/bans": [...manage, "manage/lists"],
  "manage/edge": [...manage, "manage/lists"],
  // Requests to other systems, and the secrets for them.
  "manage/outbound": base,
  "manage/feeds": [...manage, "manage/lists", "manage/outbound"],
  "manage/alarms": [...manage, "manage/outbound"],
  "manage/requests": [...manage, "manage/lists", "manage/users"],
  "manage/undo": [...enforce, "manage/*"],
  "observe/lists": observe,
  "observe/policy": observe,
  "observe/customers": observe,
  "observe/stats": observe,
  "observe/catalogue": [...observe, "observe/lists"],
  "observe/records": [...observe, "observe/policy"],
  // Never manage or enforce: it only reads files, and asks DNS.
  "observe/networks": base,
  "observe/overrides": [...observe, "observe/*"],
  "observe/feeds": [...observe, "observe/*"],
  "observe/denials": [...observe, "observe/stats"],
  "observe/references": [...observe, "observe/*"],
  "observe/doctor": [...observe, "observe/*"],
  "observe/alarms": [...observe, "observe/*"],
  queries: ["ip:types", "redis:types", "enforce/*:types", "manage/*:types", "observe/*:types"],
  // What the API and its clients say to each other.
  api: [],
  cli: [...observe, "observe/*", "api"],
  console: [...observe, "observe/*", "queries", "api"],
};
/** Single files with more imports than their room. */
const mayAlsoImport = {
  // Lost entries are known from the console's copy of the lists.
  "lib/manage/lists/restore.ts": ["observe/catalogue"],
  // The command against the API that answers it.
  "lib/cli/access/vitest.over-api.ts": ["console"],
  "lib/vitest.config.ts": ["vitest.groups.ts"],
};
const forAll = ["lib/at.ts", "lib/env.ts", "lib/errors.ts", "lib/nearest.ts", "lib/parse-object.ts"];
// Rooms and files that only the console uses, and that the package leaves out (see lib/tsconfig.json).
const notPacked = ["lib/console/", "lib/queries/", "lib/manage/users/password.ts"];
// Next replaces it with its value in a build, so it is not a setting.
const builtIn = "process.env.NEXT_RUNTIME";
/** Rooms that may import Next, and single files of others. */
const nextRooms = /^(app|components|lib\/console)(\/|$)/;
const nextDoors = ["proxy.ts", "instrumentation.ts", "lib/enforce/guard/next.ts"];
export const keyText = /^(safelist|blocklist|customer|sluice):(\S|$)|^rack::attack/;
/** Costly patterns that read only short texts. */
const ofShortTexts = [
  // Up to `longestText` of lib/ip/block.ts.
  { path: "lib/ip/parse.ts", pattern: "/:::|::.*::/" },
  // A line of another program's message, which is cut before the pattern reads it.
  { path: "lib/redis/connection-error.ts", pattern: "/\\/\\/[^@\\s]*@/g" },
];
/** Files that make patterns of texts, and why those are bounded. */
const computedPatterns = [
  // Terms of the repository's own patterns, each tried on one character.
  "scripts/pattern-cost.mjs",
];
// While an answer is awaited, it keeps the process alive.
const holdsProcess = "lib/enforce/guard/deadline.ts";
export const vagueName = /(^|\/)(utils?|helpers?|misc|common|types)(\.|\/|$)/;

/**
 * @typedef {import("./source-facts.mjs").Fact} Fact
 * @typedef {{ path: string; room: string; isTest: boolean; declared: string[] }} File `room` is app, components/lists, lib/ip, …; or the file's own path
 * @typedef {{ path: string; room: string } | undefined} Target the file of the project that an import means
 * @typedef {{ says: string; isBroken: (file: File, fact: Fact, target: Target) => boolean }} Rule
 */

/** @type {Rule[]} */
export const importRules = [
  ...everywhereRules,
  ...consoleRules,
  {
    says: "lib imports nothing from outside of lib",
    isBroken: (file, _, target) =>
      isLib(file) && target !== undefined && !isLib(target) && !(file.isTest && file.room === "lib/console"),
  },
  {
    says: "lib imports itself by relative paths with their extension",
    isBroken: (file, { value }, target) => isLib(file) && isLib(target) && !/^\.\.?\/.*\.\w+$/.test(value),
  },
  {
    says: "rooms import in one direction (the table in scripts/rooms-rules.mjs)",
    isBroken: (file, fact, target) =>
      isLib(file) && target !== undefined && isLib(target) && !mayReach(file, fact, target),
  },
  {
    says: "only tests import test support",
    isBroken: (file, _, target) => !file.isTest && target !== undefined && isTest(target.path),
  },
  {
    says: "lib/ip is pure: it imports no package and nothing of Node",
    isBroken: (file, _, target) => file.room === "lib/ip" && !file.isTest && target === undefined,
  },
  {
    says: "only lib/redis imports ioredis",
    isBroken: (file, { value }) =>
      packageOf(value) === "ioredis" && file.room !== "lib/redis" && !file.isTest,
  },
  {
    says: "only app, components, lib/console, proxy.ts, instrumentation.ts and lib/enforce/guard/next.ts import next",
    isBroken: (file, { value }) =>
      packageOf(value) === "next" &&
      !nextRooms.test(file.room) &&
      !nextDoors.includes(file.path) &&
      !file.isTest,
  },
  {
    says: "lib/enforce/frameworks knows frameworks by their types alone",
    isBroken: (file, { value, isTypeOnly }, target) =>
      file.room === "lib/enforce/frameworks" &&
      !file.isTest &&
      !target &&
      !isTypeOnly &&
      !value.startsWith("node:"),
  },
  {
    says: "components, lib/api, lib/queries and lib/enforce import zod/mini, which is a third of zod",
    isBroken: (file, { value }) =>
      /^(components|lib\/api|lib\/queries|lib\/enforce)(\/|$)/.test(file.room) &&
      value === "zod" &&
      !file.isTest,
  },
  {
    says: "packages of lib are dependencies of lib/package.json",
    isBroken: (file, { value }, target) =>
      isLib(file) &&
      !notPacked.some((path) => file.path.startsWith(path)) &&
      !file.isTest &&
      !target &&
      !value.startsWith("node:") &&
      !file.declared.includes(packageOf(value)),
  },
];

/** @type {Rule[]} */
export const textRules = [
  {
    says: "only lib/env.ts reads process.env",
    isBroken: (file, { kind, value }) =>
      kind === "env" && file.path !== "lib/env.ts" && value !== builtIn && !file.isTest,
  },
  {
    says: "only lib/env.ts reads process.env",
    isBroken: (file, { kind, value }) =>
      kind === "import" && /^(node:)?process$/.test(value) && isLib(file) && !file.isTest,
  },
  {
    says: "only lib/redis/keys.ts spells a key",
    isBroken: (file, { kind, value }) =>
      kind === "text" && keyText.test(value) && file.path !== "lib/redis/keys.ts" && !file.isTest,
  },
  {
    says: "what repeats in a protected app is on a Schedule (lib/redis/schedule.ts): each timer more is one in every app",
    isBroken: (file, { kind }) =>
      kind === "interval" &&
      /^lib\/(redis|enforce)\b/.test(file.room) &&
      file.path !== holdsProcess &&
      !file.isTest,
  },
  {
    says: "a log gets one text, and errors come into it through lib/errors.ts",
    isBroken: (file, { kind }) => kind === "log" && !file.isTest,
  },
];

/** @type {Rule[]} */
export const patternRules = [
  {
    says: "its time grows with the square of the text (scripts/pattern-cost.mjs): anchor it, or bound the run",
    isBroken: (file, { kind, value }) => kind === "pattern" && !file.isTest && isCostly(file.path, value),
  },
];

/** @type {Rule[]} */
export const computedPatternRules = [
  {
    says: "a pattern is written as a literal, so that its cost is known: else list the file in scripts/rooms-rules.mjs with a reason",
    isBroken: (file, { kind }) =>
      kind === "computed pattern" && !file.isTest && !computedPatterns.includes(file.path),
  },
];

/** @param {string} path @param {string} literal */
function isCostly(path, literal) {
  const end = literal.lastIndexOf("/");
  const isShort = ofShortTexts.some((one) => one.path === path && one.pattern === literal);
  return !isShort && costlyRun(literal.slice(1, end), literal.slice(end + 1)) !== undefined;
}

/** @param {File} file @param {Fact} fact @param {{ path: string; room: string }} target */
function mayReach(file, { isTypeOnly }, target) {
  if (file.room === target.room || forAll.includes(target.path)) return true;
  const allowed = [...find(mayImport, file.room.slice("lib/".length)), ...find(mayAlsoImport, file.path)];
  // Tests use verbs and readers of other rooms, and tests of connections use the guard.
  if (file.isTest && file.room === "lib/redis" && target.room === "lib/enforce/guard") return true;
  if (file.isTest && isOnFloor(file.room) && isOnFloor(target.room)) return true;
  const room = target.room.slice("lib/".length);
  const names = ["*", `${room.split("/")[0]}/*`, room];
  return names.some((name) => allowed.includes(name) || (isTypeOnly && allowed.includes(`${name}:types`)));
}

/** @param {string} room */
const isOnFloor = (room) => /^lib\/(enforce|manage|observe)\//.test(room);

/** @param {Record<string, readonly string[]>} table @param {string} name */
const find = (table, name) => table[name] ?? [];

/** @param {{ room: string } | undefined} file */
const isLib = (file) => file?.room.startsWith("lib") ?? false;

/** @param {string} specifier */
const packageOf = (specifier) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
