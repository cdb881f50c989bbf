// `npm run lint`, `npm run typecheck`, `npm run test:unit` and `npm run test:e2e`: one part of npm test, from a clean clone.
// Arguments after `--` go to the tool: `npm run test:unit -- lib/ip --watch`, `npm run test:e2e -- up`.
import { ensureBuilt, removeDevTypes } from "./build-app.mjs";
import { ensureLib } from "./build-lib.mjs";
import { run, runInForeground } from "./children.mjs";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensurePackages } from "./ensure-packages.mjs";
import { ensureRedis } from "./ensure-redis.mjs";
import { main } from "./main.mjs";
import { installed, isCommand, root } from "./project.mjs";
import { Stop } from "./stop.mjs";

/** Arguments of each part's tool, which npm test runs, too. */
export const toolArgs = {
  biome: ["check", "--error-on-warnings"],
  knip: ["--no-progress"],
  tsc: ["--noEmit", "-p", "tsconfig.json"],
  vitest: ["--config", "lib/vitest.config.ts"],
  playwright: ["test", "--config", "e2e/playwright.config.ts"],
};

/** Builds the files that the type check reads: the library, which bench/ imports, and the types of Next's routes. */
export async function prepareTypes() {
  await ensureLib();
  removeDevTypes();
  await run(installed("next"), ["typegen"], { cwd: root });
}

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const parts = {
  // Unused files, packages and exports are known of the whole project, so knip takes no paths.
  lint: async (args) =>
    (await tool("biome", [...toolArgs.biome, ...args])) ||
    (args.length > 0 ? 0 : tool("knip", toolArgs.knip)),
  async typecheck(args) {
    await prepareTypes();
    return tool("tsc", [...toolArgs.tsc, ...args]);
  },
  async "test:unit"(args) {
    await ensureRedis();
    const isWatching = args.includes("--watch") || args.includes("-w");
    return tool("vitest", [...(isWatching ? [] : ["run"]), ...toolArgs.vitest, ...args]);
  },
  async "test:e2e"(args) {
    await ensureRedis();
    await ensureChromium();
    await ensureBuilt();
    // Otherwise a page's test runs after all stories.
    const chosen = args.length > 0 ? ["--no-deps", ...args] : [];
    return tool("playwright", [...toolArgs.playwright, ...chosen]);
  },
};

/** @param {string} name @param {string[]} args */
const tool = (name, args) => runInForeground(installed(name), args);

if (isCommand(import.meta.url)) {
  process.chdir(root);
  await main(async () => {
    const [name = "", ...args] = process.argv.slice(2);
    const part = parts[name];
    if (part === undefined)
      throw new Stop(`Unknown part "${name}". The parts are: ${Object.keys(parts).join(" ")}`);
    ensureNode();
    await ensurePackages();
    return part(args);
  });
}
