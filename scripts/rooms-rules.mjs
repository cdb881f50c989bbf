import { isTest } from "./rooms-map.mjs";

/** Which rooms of lib a room of lib may import beside itself; with `:types`, their types alone. */
const mayImport = {
  ip: [],
  redis: ["ip:types"],
  audit: ["ip", "redis"],
  lists: ["ip", "redis", "audit"],
  limits: ["ip", "redis", "audit"],
  policy: ["ip", "redis", "audit", "limits"],
  customers: ["ip", "redis", "audit", "limits", "policy"],
  bans: ["ip", "redis", "audit", "lists", "policy:types"],
  stats: ["ip", "redis", "audit", "limits", "policy", "customers"],
  edge: ["ip", "redis", "audit", "lists", "policy", "stats"],
  auth: ["ip", "redis", "audit", "limits"],
  guard: ["ip", "redis", "audit", "lists", "limits", "policy", "customers", "bans", "stats", "edge"],
  undo: ["ip", "redis", "audit", "lists", "policy", "customers", "auth", "edge"],
  queries: ["*:types"],
  doctor: ["ip", "redis", "audit", "lists", "limits", "policy", "customers", "bans", "stats", "edge"],
  cli: ["*"],
};
const forAll = ["lib/env.ts", "lib/errors.ts"];
// Rooms and files that the package leaves out: the console alone needs them (see lib/tsconfig.json).
const notPacked = ["lib/queries/", "lib/auth/password.ts"];
// Next puts its value in when it builds: not a setting of anybody's.
const builtIn = "process.env.NEXT_RUNTIME";
const nextDoors = ["proxy.ts", "instrumentation.ts", "lib/guard/next.ts"];
export const keyText = /^(safelist|blocklist|customer|sluice):(\S|$)|^rack::attack/;
export const vagueName = /(^|\/)(utils?|helpers?|misc|common|types)(\.|\/|$)/;

/**
 * @typedef {import("./source-facts.mjs").Fact} Fact
 * @typedef {{ path: string; room: string; isTest: boolean; declared: string[] }} File `room` is app, components, lib/ip, …; or the file's own path
 * @typedef {{ path: string; room: string } | undefined} Target the file of the project that an import means
 * @typedef {{ says: string; isBroken: (file: File, fact: Fact, target: Target) => boolean }} Rule
 */

/** @type {Rule[]} */
export const importRules = [
  {
    says: "nothing imports from app",
    isBroken: (file, _, target) =>
      target?.room === "app" && file.room !== "app" && file.path !== "instrumentation.ts",
  },
  {
    says: "lib imports nothing from outside of lib",
    isBroken: (file, _, target) => isLib(file) && target !== undefined && !isLib(target),
  },
  {
    says: "lib imports itself by relative paths with their extension",
    isBroken: (file, { value }, target) =>
      isLib(file) && target !== undefined && !/^\.\.?\/.*\.\w+$/.test(value),
  },
  {
    says: "rooms import in one direction (the table in scripts/rooms-rules.mjs)",
    isBroken: (file, fact, target) =>
      isLib(file) && target !== undefined && isLib(target) && !mayReach(file, fact, target),
  },
  {
    says: "components import from lib only types and queries",
    isBroken: (file, { isTypeOnly }, target) =>
      file.room === "components" && isLib(target) && target?.room !== "lib/queries" && !isTypeOnly,
  },
  {
    says: "what helps tests is imported by tests alone",
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
    says: "only app, proxy.ts, instrumentation.ts and lib/guard/next.ts import next",
    isBroken: (file, { value }) =>
      packageOf(value) === "next" && file.room !== "app" && !nextDoors.includes(file.path) && !file.isTest,
  },
  {
    says: "what the package needs at run time is among the dependencies of package.json",
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
];

/** @param {File} file @param {Fact} fact @param {{ path: string; room: string }} target */
function mayReach(file, { isTypeOnly }, target) {
  // A test may drive its room through the front door.
  if (file.isTest && target.room === "lib/guard") return true;
  if (file.room === target.room || forAll.includes(target.path)) return true;
  const wanted = target.room.replace("lib/", "");
  const allowed = Object.entries(mayImport).find(([room]) => file.room === `lib/${room}`)?.[1] ?? [];
  return ["*", wanted].some(
    (room) => allowed.includes(room) || (isTypeOnly && allowed.includes(`${room}:types`)),
  );
}

/** @param {{ room: string } | undefined} file */
const isLib = (file) => file?.room.startsWith("lib") ?? false;

/** @param {string} specifier */
const packageOf = (specifier) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
