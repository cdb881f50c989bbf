// `npm test`: all parts, from a clean clone. `npm test -- lint unit` runs only these parts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./build-app.mjs";
import { prepareTypes, toolArgs } from "./check.mjs";
import { run } from "./children.mjs";
import { checkLua } from "./embed-lua.mjs";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensurePackages } from "./ensure-packages.mjs";
import { ensureRedis } from "./ensure-redis.mjs";
import { atEnd, main } from "./main.mjs";
import { installed, root } from "./project.mjs";
import { step } from "./steps.mjs";
import { Stop, tell } from "./stop.mjs";
import { playwrightCounts, vitestCounts } from "./test-counts.mjs";

const reports = mkdtempSync(join(tmpdir(), "sluice-test-"));
atEnd(() => rmSync(reports, { recursive: true, force: true }));
const unitReport = join(reports, "unit.json");
const e2eReport = join(reports, "e2e.json");

/** Parts in their order. A late part is skipped if an earlier one has failed. */
const parts = [
  { name: "lint", work: () => tool("biome", ...toolArgs.biome) },
  { name: "unused", work: () => tool("knip", ...toolArgs.knip) },
  // Before the types, whose build of the library embeds the scripts again.
  { name: "lua", work: async () => checkLua() },
  { name: "types", work: checkTypes },
  { name: "rooms", work: () => node("scripts/rooms.mjs") },
  { name: "words", work: () => node("scripts/words.mjs") },
  { name: "links", work: () => node("scripts/docs-links.mjs") },
  { name: "unit", work: runUnit },
  { name: "build", work: ensureBuilt, isLate: true },
  { name: "e2e", work: runEndToEnd, isLate: true },
];

async function test() {
  ensureNode();
  const wanted = wantedParts(process.argv.slice(2));
  await ensurePackages();
  if (wanted.has("unit") || wanted.has("e2e")) await ensureRedis();
  if (wanted.has("e2e")) await ensureChromium();
  /** @type {string[]} */
  const failed = [];
  for (const { name, work, isLate } of parts) {
    if (!wanted.has(name)) continue;
    if (isLate && failed.length > 0) {
      console.error(`- ${name} skipped: ${failed.join(", ")} failed`);
      continue;
    }
    if (!(await passes(name, work))) failed.push(name);
  }
  summarize(failed);
  return failed.length === 0 ? 0 : 1;
}

/** All parts, or the named ones. The end-to-end tests include the build.
 * @param {string[]} names
 */
function wantedParts(names) {
  const known = parts.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw new Stop(`Unknown part "${unknown}". The parts are: ${known.join(" ")}`);
  const wanted = new Set(names.length > 0 ? names : known);
  return wanted.has("e2e") ? wanted.add("build") : wanted;
}

/** @param {string} name @param {() => Promise<unknown>} work */
async function passes(name, work) {
  try {
    // The build prints its own line.
    if (name === "build") await work();
    else await step(name, async () => void (await work()));
    return true;
  } catch (error) {
    tell(error);
    return false;
  }
}

/** Prints the counts, in a last line for programs. A failed part without tests counts as one failure.
 * @param {string[]} failedParts
 */
function summarize(failedParts) {
  const unit = vitestCounts(unitReport);
  const e2e = playwrightCounts(e2eReport);
  const testless = failedParts.filter((name) => !countsOwnFailures(name)).length;
  if (failedParts.length > 0) console.error(`\nFailed: ${failedParts.join(", ")}`);
  console.log(`\n${unit.passed + e2e.passed} passed, ${unit.failed + e2e.failed + testless} failed`);
}

/** @param {string} name */
function countsOwnFailures(name) {
  if (name === "unit") return vitestCounts(unitReport).failed > 0;
  return name === "e2e" && playwrightCounts(e2eReport).failed > 0;
}

async function checkTypes() {
  await prepareTypes();
  await tool("tsc", ...toolArgs.tsc);
}

function runUnit() {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`];
  return run(installed("vitest"), ["run", ...toolArgs.vitest, ...reporters], {
    cwd: root,
    shouldStream: true,
  });
}

function runEndToEnd() {
  return run(installed("playwright"), toolArgs.playwright, {
    cwd: root,
    env: { ...process.env, E2E_REPORT: e2eReport },
    shouldStream: true,
  });
}

/** @param {string} name @param {string[]} args */
const tool = (name, ...args) => run(installed(name), args, { cwd: root });

/** @param {string[]} args */
const node = (...args) => run(process.execPath, args, { cwd: root });

process.chdir(root);
await main(test);
