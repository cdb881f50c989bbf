import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { start, stop } from "../scripts/children.mjs";

/** @typedef {import("./mixed-fleet-node.mjs").Decision} Decision */
/** @typedef {{ ip: string, path?: string, customerId?: string, cost?: number, headers?: Record<string, string> }} Request */
/**
 * @typedef {object} Node
 * @property {string} name
 * @property {string} app
 * @property {number | undefined} pid
 * @property {(request: Request) => Promise<Decision>} ask
 * @property {() => Promise<void>} close ends the guard, which sends its last report
 * @property {() => Promise<void>} kill
 */

const answerWithinMs = 10_000;
const program = fileURLToPath(new URL("mixed-fleet-node.mjs", import.meta.url));

/**
 * Starts a node. All that it logs or prints is an error: nothing here should need a line.
 * @param {{ name: string, app: string, folder: string, redis: string, onError: (text: string) => void }} options
 * @returns {Promise<Node>}
 */
export async function startNode({ name, app, folder, redis, onError }) {
  const child = start(name, process.execPath, [program, folder, redis, app], {
    withChannel: true,
    onText: (text) => onError(`${name} printed: ${text}`),
  });
  /** @type {Map<number, (decision: Decision) => void>} */
  const waiting = new Map();
  let asked = 0;
  let isEnding = false;
  child.process.on("message", (/** @type {any} */ message) => {
    if (message.log !== undefined) onError(`${name} logged: ${message.log}`);
    if (message.n === undefined) return;
    waiting.get(message.n)?.(message.decision);
    waiting.delete(message.n);
  });
  child.exited.then((ending) => isEnding || onError(`${name}: ${ending}`));
  await heard(child.process, "isReady");
  return {
    ...{ name, app, pid: child.process.pid },
    ask(request) {
      const n = asked++;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${name} has not answered`)), answerWithinMs);
        waiting.set(n, (decision) => {
          clearTimeout(timer);
          resolve(decision);
        });
        child.process.send?.({ n, request: { method: "GET", host: "shop.example", ...request } });
      });
    },
    async close() {
      isEnding = true;
      child.process.send?.("close");
      await heard(child.process, "isClosed");
    },
    kill() {
      isEnding = true;
      return stop(child);
    },
  };
}

/** @param {import("node:child_process").ChildProcess} child @param {"isReady" | "isClosed"} about */
async function heard(child, about) {
  for (;;) {
    const [message] = await once(child, "message", { signal: AbortSignal.timeout(30_000) });
    if (message[about] !== undefined) return;
  }
}
