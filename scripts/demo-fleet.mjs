import { run, start } from "./children.mjs";
import { logFolder } from "./data-folder.mjs";
import { inProject, root } from "./project.mjs";
import { step } from "./steps.mjs";

/** Apps of the demo, one process each. */
const apps = ["shop", "shop", "docs", "accounts"];

/** Fills the empty Redis of the demonstration.
 * @param {import("./data-folder.mjs").Instance} instance
 */
export async function seedDemo(instance) {
  await step("demonstration data", async () => {
    await run(process.execPath, [inProject("scripts/demo-seeds.mjs")], {
      env: { ...process.env, ...instance },
      cwd: root,
    });
  });
}

/** Starts the demo fleet: four processes that use the library like an app, with simulated clients.
 * @param {import("./data-folder.mjs").Instance} instance
 */
export async function startFleet(instance) {
  const env = { ...process.env, ...instance };
  /** @type {import("./children.mjs").Child[]} */
  const nodes = [];
  await step("fleet", async () => {
    for (const [i, app] of apps.entries()) {
      const words = [inProject("scripts/demo-node.mjs"), app];
      nodes.push(
        start(`demo-${app}-${i + 1}`, process.execPath, words, { env, logFolder, withChannel: true }),
      );
    }
    return `${apps.length} nodes, about 100 requests a second`;
  });
  return nodes;
}
