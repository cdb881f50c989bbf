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
  const policies = library === "sluice" ? policyFiles(task) : [];
  const added = addedLines(read(path), read(`docs/compare/${task}/app.ts`));
  const links = policies.map(
    (name) => ` + [${linesOf(read(`docs/compare/${task}/${name}`)).length} of policy](${task}/${name})`,
  );
  return `[${added}](${task}/${library}.ts)${links.join("")}`;
}

/** @param {string} task */
export const policyFiles = (task) =>
  ["rule.json", "tiers.json"].filter((name) => existsSync(inProject(`docs/compare/${task}/${name}`)));

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
