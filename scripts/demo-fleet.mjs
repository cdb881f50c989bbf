import { run, start } from "./children.mjs";
import { logFolder } from "./data-folder.mjs";
import { inProject, root } from "./project.mjs";
import { step } from "./steps.mjs";

/** A process each. */
const apps = ["shop", "shop", "docs", "accounts"];
const tiers = { 1042: "free", 2210: "pro", acme: "enterprise" };

/** A fleet that is asked by people who are not: four processes that use the library as any app does.
 * @param {import("./data-folder.mjs").Instance} instance
 */
export async function startFleet(instance) {
  const env = { ...process.env, ...instance };
  /** @type {import("./children.mjs").Child[]} */
  const nodes = [];
  await step("demonstration", async (say) => {
    for (const [id, tier] of Object.entries(tiers)) {
      say(`customer ${id}`);
      const words = ["customer", "tier", id, tier, "--reason", "the demonstration"];
      await run(process.execPath, [inProject("dist/cli/main.js"), ...words], { env, cwd: root });
    }
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
