import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { start, stop } from "../scripts/children.mjs";

/** @typedef {import("./fleet-node.mjs").Traffic} Traffic */
/** @typedef {import("./fleet-node.mjs").Sent} Sent */
/** @typedef {{ redis: string, counters: string, processes: number, nodes: number }} FleetOptions */

/** Time until all processes have heard of their traffic. */
const noticeMs = 100;
/** A node's idea of Redis' clock may be a little behind: a request at the very begin of a window is counted in the one before. */
const afterBeginMs = 20;

/**
 * A fleet whose nodes all know how many they are. Resolves once it has sent the traffic, and has charged what passed.
 * @param {FleetOptions} options @param {Omit<Traffic, "atMs">} traffic it begins with a window of the clock
 * @param {{ before: () => Promise<void> }} hooks called when the fleet is ready, before the traffic
 * @returns {Promise<Sent[]>}
 */
export async function sendThroughFleet({ redis, counters, processes, nodes }, traffic, { before }) {
  const path = fileURLToPath(new URL("fleet-node.mjs", import.meta.url));
  const children = Array.from({ length: processes }, (_, i) => {
    const [first, end] = [i, i + 1].map((place) => Math.round((place * nodes) / processes));
    const words = [path, redis, counters, first, (end ?? 0) - (first ?? 0), nodes].map(String);
    return start(`fleet-${i}`, process.execPath, words, { withChannel: true });
  });
  try {
    await Promise.all(children.map((child) => hear(child, "isReady")));
    await before();
    const soonMs = Date.now() + noticeMs;
    const { windowMs = 1 } = traffic;
    const atMs = Math.ceil(soonMs / windowMs) * windowMs + afterBeginMs;
    /** @type {Sent[]} */
    const sent = await Promise.all(children.map((child) => ask(child, { ...traffic, atMs }, "sent")));
    await Promise.all(children.map((child) => ask(child, "close", "isClosed")));
    return sent;
  } finally {
    await Promise.all(children.map(stop));
  }
}

/** @param {import("../scripts/children.mjs").Child} child @param {object | string} message @param {string} about */
async function ask(child, message, about) {
  const heard = hear(child, about);
  child.process.send?.(message);
  return heard;
}

/** What the process says of this. Throws if it ends before. @param {import("../scripts/children.mjs").Child} child @param {string} about */
async function hear(child, about) {
  for (;;) {
    const message = await Promise.race([
      once(child.process, "message").then(([said]) => said),
      child.exited.then((ending) => {
        throw new Error(`${child.name}: ${ending}\n${child.tail()}`);
      }),
    ]);
    if (message[about] !== undefined) return message[about];
  }
}
