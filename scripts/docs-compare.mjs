// Counts the lines of docs/compare, and puts them into its table. `node scripts/docs-compare.mjs` writes the table.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { notYet } from "./docs-pages.mjs";
import { inProject, isCommand } from "./project.mjs";

export const comparePage = "docs/compare/README.md";
export const libraries = ["sluice", "express-rate-limit", "rate-limiter-flexible", "upstash"];

/** Tasks by their folders. */
export const tasks = {
  "whole-app": "300 requests in 5 min for each address",
  "one-route": "another limit for one route",
  "by-plan": "limits by plan",
  cost: "requests that cost more",
  "failed-only": "count only failed sign-ins",
  "what-is-left": "show how much is left",
  "custom-answer": "an answer of the app",
  "without-redis": "without Redis, for tests",
};

/** Folder and file of every program that there is. */
export function programs() {
  return Object.keys(tasks).flatMap((task) =>
    libraries
      .map((library) => ({ task, library, path: `docs/compare/${task}/${library}.ts` }))
      .filter(({ path }) => existsSync(inProject(path)) && !notYet.includes(path)),
  );
}

/** The table, as Markdown. */
export function compareTable() {
  const rows = Object.entries(tasks).map(([task, title]) => {
    const cells = libraries.map((library) => cellOf(task, library));
    return `| ${title} | ${cells.join(" | ")} |`;
  });
  return [
    "| task | Sluice | express-rate-limit | rate-limiter-flexible | @upstash/ratelimit |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Lines of a program, with a link to it. @param {string} task @param {string} library */
function cellOf(task, library) {
  const path = `docs/compare/${task}/${library}.ts`;
  if (!programs().some((program) => program.path === path))
    return existsSync(inProject(path)) ? "not yet" : "no";
  const { code, policy } = linesOfTask(task, library);
  const link = policy === 0 ? "" : ` + [${policy} of policy](${task}/tiers.json)`;
  return `[${code}](${task}/${library}.ts)${link}`;
}

/** Lines that a library takes: of code, and of policy. @param {string} task @param {string} library */
export function linesOfTask(task, library) {
  const program = read(`docs/compare/${task}/${library}.ts`);
  const tiers = library === "sluice" ? tiersOf(task) : undefined;
  return {
    code: addedLines(program, read(`docs/compare/${task}/app.ts`)),
    policy: tiers === undefined ? 0 : linesOf(tiers).length,
  };
}

/** The tiers that Sluice's program counts by, as JSON. Undefined where it needs none. @param {string} task */
export function tiersOf(task) {
  const path = `docs/compare/${task}/tiers.json`;
  return existsSync(inProject(path)) ? read(path) : undefined;
}

/** Lines that a program has and the bare app has not. @param {string} program @param {string} app */
function addedLines(program, app) {
  const bare = linesOf(app);
  return linesOf(program).filter((line) => !bare.includes(line)).length;
}

/** Lines with words, without imports and comments. @param {string} text */
function linesOf(text) {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line) && !/^(?:import|\/\/|\/\*|\*)/.test(line));
}

/** @param {string} path */
const read = (path) => readFileSync(inProject(path), "utf8");

const table = /^\| task \|.*\n(?:\|.*\n)*/m;

/** The page with the table of today. */
export const comparedPage = () => read(comparePage).replace(table, () => `${compareTable()}\n`);

if (isCommand(import.meta.url)) writeFileSync(inProject(comparePage), comparedPage());
