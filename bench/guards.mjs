import { setTimeout as pause } from "node:timers/promises";
import { createGuard } from "../dist/enforce/guard/index.js";
import { readOptions } from "../dist/enforce/guard/options.js";
import { acquireRuntime } from "../dist/enforce/guard/shared-runtime.js";

/** @typedef {import("../dist/enforce/guard/index.js").Guard} Guard */

const readyWithinMs = 30_000;

/**
 * Guards that are ready and know the number of nodes, which divides the slack of rules. Guards of one process are nodes of their
 * own because their apps differ.
 * @param {{ redis: string, counters: string }} servers @param {readonly string[]} apps @param {number} nodes of the whole fleet
 * @returns {Promise<Guard[]>}
 */
export async function openGuards(servers, apps, nodes) {
  const options = apps.map((app) => ({ ...servers, app, log: () => {} }));
  const guards = options.map(createGuard);
  await Promise.all(guards.map((guard) => guard.ready()));
  await Promise.all(options.map((one) => untilItKnows(one, nodes)));
  return guards;
}

/** The only node of its fleet. @param {{ redis: string, counters: string }} servers @returns {Promise<Guard>} */
export async function openGuard(servers) {
  const [guard] = await openGuards(servers, ["bench"], 1);
  if (!guard) throw new Error("no guard was made");
  return guard;
}

/** @param {Parameters<typeof createGuard>[0]} options of a guard that is open @param {number} nodes */
async function untilItKnows(options, nodes) {
  const { clients, trust, ...settings } = readOptions(options);
  const { node, close } = acquireRuntime(settings);
  const endsAt = performance.now() + readyWithinMs;
  while (node.uplink.nodes !== nodes) {
    if (performance.now() > endsAt)
      throw new Error(`a node knows of ${node.uplink.nodes} nodes instead of ${nodes}`);
    await pause(20);
  }
  await close();
}
