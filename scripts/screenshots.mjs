// `npm run screenshots`: every page in light, dark, phone width, at 1024 px and at 200%, into .screenshots/. Arguments after `--` choose pages.
import { ensureBuilt } from "./build-app.mjs";
import { run } from "./children.mjs";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensurePackages } from "./ensure-packages.mjs";
import { ensureRedis } from "./ensure-redis.mjs";
import { main } from "./main.mjs";
import { inProject, installed, root } from "./project.mjs";

async function takeScreenshots() {
  ensureNode();
  await ensurePackages();
  await ensureRedis();
  await ensureChromium();
  await ensureBuilt();
  const chosen = process.argv.slice(2);
  const words = chosen.length > 0 ? ["--grep", chosen.join("|")] : [];
  await run(installed("playwright"), ["test", "--config", "e2e/shots/playwright.config.ts", ...words], {
    cwd: root,
    shouldStream: true,
  });
  console.log(inProject(".screenshots"));
  return 0;
}

process.chdir(root);
await main(takeScreenshots);
