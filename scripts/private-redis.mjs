import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { start } from "./children.mjs";
import { chooseFreePort, isTaken } from "./ports.mjs";
import { Stop } from "./stop.mjs";

const loadingLimitMs = 10 * 60_000;

/** Starts a Redis of our own on what this folder holds, and waits until it has loaded it.
 * @param {{ program: string; folder: string; logFolder: string; say: (busyWith: string) => void }} options
 */
export async function startPrivateRedis({ program, folder, logFolder, say }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const portFile = join(folder, "port");
  const lastPort = existsSync(portFile) ? Number(readFileSync(portFile, "utf8")) : undefined;
  // One that outlived its parent: two servers on one append-only file would spoil it.
  if (lastPort && (await servesFolder(lastPort, folder))) {
    say(`stopping the one that was left running on port ${lastPort}`);
    await shutDown(lastPort);
  }
  const port = lastPort && !(await isTaken(lastPort)) ? lastPort : await chooseFreePort();
  writeFileSync(portFile, String(port));
  const child = start("redis-server", program, settings(port, folder), {
    // Redis 7 refuses to start under a locale that is named but not installed.
    env: { ...process.env, LC_ALL: "C" },
    logFolder,
  });
  await untilReady(child, port, say);
  return { child, port, url: `redis://127.0.0.1:${port}` };
}

/** @param {number} port @param {string} folder */
const settings = (port, folder) => [
  ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--pidfile", join(folder, "redis.pid")],
  ...["--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--maxmemory-policy", "noeviction"],
];

/** @param {import("./children.mjs").Child} child @param {number} port @param {(busyWith: string) => void} say */
async function untilReady(child, port, say) {
  let ending = "";
  child.exited.then((how) => {
    ending = how;
  });
  let hasSaid = false;
  const deadline = performance.now() + loadingLimitMs;
  while (performance.now() < deadline) {
    if (ending) throw new Stop(`Redis did not start: ${ending}\n${child.tail()}`);
    const reply = await ask(port, "PING").catch(() => "");
    if (reply.startsWith("+PONG")) return;
    if (reply.startsWith("-LOADING") && !hasSaid) {
      say("loading its data");
      hasSaid = true;
    }
    await wait(50);
  }
  throw new Stop(`Redis does not answer on port ${port}.\n${child.tail()}`);
}

/** Whether the Redis on this port works on this folder, so is ours.
 * @param {number} port @param {string} folder
 */
export async function servesFolder(port, folder) {
  // A reply of two bulk strings: *2, $3, dir, $<length>, <the folder>.
  const lines = (await ask(port, "CONFIG GET dir").catch(() => "")).split("\r\n");
  return lines[2] === "dir" && lines[4] === realpathSync(folder);
}

/** @param {number} port */
async function shutDown(port) {
  await ask(port, "SHUTDOWN").catch(() => "");
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    if (!(await isTaken(port))) return;
    await wait(50);
  }
  throw new Stop(
    `A Redis of an earlier run still listens on port ${port} and does not shut down. Stop it, then try again.`,
  );
}

/** Asks a server one thing over a connection of its own; what it answers until it hangs up.
 * @param {number} port @param {string} command
 * @returns {Promise<string>}
 */
function ask(port, command) {
  return new Promise((resolve, reject) => {
    let reply = "";
    const socket = connect({ port, host: "127.0.0.1", timeout: 2000 });
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(`${command}\r\nQUIT\r\n`));
    socket.on("data", (text) => {
      reply += text;
    });
    socket.on("close", () => resolve(reply));
    socket.on("timeout", () => socket.destroy(new Error("no answer")));
    socket.on("error", reject);
  });
}
