import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { start } from "./children.mjs";
import { Stop } from "./stop.mjs";

const loadingLimitMs = 10 * 60_000;
/** Limit in bytes for the path of a socket on some systems. */
const longestPath = 100;

/** A socket's path, or a port of this machine. @typedef {string | number} Place */

/**
 * Starts a private Redis on the data of this folder, and waits until it has loaded them. It has no password: it listens on no
 * port, but on a socket in a folder that other users of this machine cannot enter. With `isEmpty` the data of earlier runs are
 * deleted first.
 * @param {{ program: string; folder: string; logFolder: string; isEmpty?: boolean; say: (busyWith: string) => void }} options
 */
export async function startPrivateRedis({ program, folder, logFolder, isEmpty = false, say }) {
  openPrivately(folder);
  const socket = socketOf(folder);
  await stopEarlier(folder, socket, say);
  if (isEmpty) rmSync(join(folder, "appendonlydir"), { recursive: true, force: true });
  if (isEmpty) rmSync(join(folder, "appendonly.aof"), { force: true });
  const child = start("redis-server", program, settings(socket, folder), {
    // Redis 7 refuses to start under a locale that is named but not installed.
    env: { ...process.env, LC_ALL: "C" },
    logFolder,
  });
  await untilReady(child, socket, say);
  return { child, socket, url: socket };
}

/** @param {string} socket @param {string} folder */
const settings = (socket, folder) => [
  ...["--port", "0", "--unixsocket", socket, "--unixsocketperm", "700"],
  ...["--dir", folder, "--pidfile", join(folder, "redis.pid")],
  ...["--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--maxmemory-policy", "noeviction"],
];

/**
 * Path of the socket: in this folder or, if that path is too long for a socket, in a temporary folder of this user.
 * @param {string} folder @param {string} [file]
 */
export function socketOf(folder, file = "redis.sock") {
  const usual = join(folder, file);
  if (Buffer.byteLength(usual) <= longestPath) return usual;
  const name = createHash("sha256").update(realpathSync(folder)).digest("hex").slice(0, 12);
  const short = join(tmpdir(), `sluice-${process.getuid?.() ?? 0}-${name}`);
  openPrivately(short);
  return join(short, file);
}

/** Creates a folder that only this user can enter. Throws if another user has created it first. @param {string} folder */
export function openPrivately(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || (process.getuid && uid !== process.getuid()))
    throw new Stop(`${folder} belongs to another user. Remove it, then try again.`);
  chmodSync(folder, 0o700);
}

/**
 * Stops a Redis that outlived its parent: two servers would damage one append-only file. Earlier versions listened on a port,
 * whose number they stored in a file.
 * @param {string} folder @param {string} socket @param {(busyWith: string) => void} say
 */
async function stopEarlier(folder, socket, say) {
  const portFile = join(folder, "port");
  const port = existsSync(portFile) ? Number(readFileSync(portFile, "utf8")) : 0;
  for (const place of [socket, ...(port > 0 && port < 65_536 ? [port] : [])]) {
    if (!(await servesFolder(place, folder))) continue;
    say(`stopping the one that was left running on ${whereIs(place)}`);
    await shutDown(place);
  }
  rmSync(portFile, { force: true });
}

/** @param {import("./children.mjs").Child} child @param {Place} place @param {(busyWith: string) => void} say */
async function untilReady(child, place, say) {
  let ending = "";
  child.exited.then((how) => {
    ending = how;
  });
  let hasSaid = false;
  const deadline = performance.now() + loadingLimitMs;
  while (performance.now() < deadline) {
    if (ending) throw new Stop(`Redis did not start: ${ending}\n${child.tail()}`);
    const reply = await ask(place, "PING").catch(() => "");
    if (reply.startsWith("+PONG")) return;
    if (reply.startsWith("-LOADING") && !hasSaid) {
      say("loading its data");
      hasSaid = true;
    }
    await wait(50);
  }
  throw new Stop(`Redis does not answer on ${whereIs(place)}.\n${child.tail()}`);
}

/** Whether the Redis at this address works on this folder.
 * @param {Place} place @param {string} folder
 */
export async function servesFolder(place, folder) {
  // The reply has two bulk strings: *2, $3, dir, $<length>, <the folder>.
  const lines = (await ask(place, "CONFIG GET dir").catch(() => "")).split("\r\n");
  return lines[2] === "dir" && lines[4] === realpathSync(folder);
}

/** @param {Place} place */
async function shutDown(place) {
  await ask(place, "SHUTDOWN").catch(() => "");
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const isGone = await ask(place, "PING").then(
      () => false,
      () => true,
    );
    if (isGone) return;
    await wait(50);
  }
  throw new Stop(
    `A Redis of an earlier run still listens on ${whereIs(place)} and does not shut down. Stop it, then try again.`,
  );
}

/** @param {Place} place */
const whereIs = (place) => (typeof place === "number" ? `port ${place}` : place);

/** Sends one command over a new connection. Returns the reply until the server closes the connection.
 * @param {Place} place @param {string} command
 * @returns {Promise<string>}
 */
function ask(place, command) {
  return new Promise((resolve, reject) => {
    let reply = "";
    const where = typeof place === "number" ? { port: place, host: "127.0.0.1" } : { path: place };
    const socket = connect({ ...where, timeout: 2000 });
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
