import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Stop } from "./stop.mjs";

const graceMs = 5000;
const tailLines = 20;

/**
 * @typedef {object} Child
 * @property {string} name
 * @property {import("node:child_process").ChildProcess} process
 * @property {Promise<string>} exited resolves to a description of its end
 * @property {() => string} tail last lines of its output
 *
 * @typedef {object} Options
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {string} [logFolder] folder of `<name>.log` with its output, and of `<name>.before.log` from the run before
 * @property {boolean} [withChannel] whether to open an IPC channel, by which the child detects the end of this process
 * @property {(text: string, isError: boolean) => void} [onText] called with everything that the child prints
 * @property {(text: string) => string} [forLog] the part of the output that may be stored
 */

/** Running children in the order of their start. @type {Child[]} */
const running = [];
let isStopping = false;

/** Starts a program in its own process group: a Ctrl-C in the terminal reaches only this process, which stops its children in order.
 * @param {string} name @param {string} program @param {string[]} args @param {Options} [options]
 * @returns {Child}
 */
export function start(name, program, args, options = {}) {
  if (isStopping) throw new Stop(`${name} is not started, because Sluice is stopping.`);
  const {
    env = process.env,
    cwd = process.cwd(),
    logFolder,
    withChannel,
    onText,
    forLog = (text) => text,
  } = options;
  const child = spawn(program, args, {
    env,
    cwd,
    detached: true,
    stdio: withChannel ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "pipe", "pipe"],
  });
  const log = logFolder ? openLog(logFolder, name) : undefined;
  let tail = "";
  /** @param {string} text @param {boolean} isError */
  const take = (text, isError) => {
    log?.write(forLog(text));
    onText?.(text, isError);
    tail = (tail + forLog(text)).split("\n").slice(-tailLines).join("\n");
  };
  child.stdout?.setEncoding("utf8").on("data", (text) => take(text, false));
  child.stderr?.setEncoding("utf8").on("data", (text) => take(text, true));
  /** @type {Promise<string>} */
  const exited = new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`));
  });
  const started = { name, process: child, exited, tail: () => tail.trimEnd() };
  running.push(started);
  exited.then(() => {
    running.splice(running.indexOf(started), 1);
    log?.end();
  });
  return started;
}

/** @param {string} folder @param {string} name */
function openLog(folder, name) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  if (existsSync(path)) renameSync(path, join(folder, `${name}.before.log`));
  return createWriteStream(path);
}

/** Runs a program to its end. Its output is shown only if it fails, or at once with `shouldStream`.
 * @param {string} program @param {string[]} args
 * @param {Options & { shouldStream?: boolean }} [options]
 */
export async function run(program, args, { shouldStream = false, ...options } = {}) {
  let said = "";
  const child = start(program, program, args, {
    ...options,
    onText: (text) => {
      if (shouldStream) process.stderr.write(text);
      else said += text;
    },
  });
  const ending = await child.exited;
  if (ending === "exit code 0") return said;
  throw new Stop(`${[program, ...args].join(" ")}: ${ending}\n${said.trimEnd()}`.trimEnd());
}

/** Runs a program on this terminal, and returns its exit code. The terminal sends Ctrl-C to both: the program handles it.
 * @param {string} program @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export function runInForeground(program, args, env = process.env) {
  const child = spawn(program, args, { stdio: "inherit", env });
  process.on("SIGINT", () => {});
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"]))
    process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 143)));
  });
}

/** Waits until one of these children has ended. Returns the error that names it.
 * @param {Child[]} children @returns {Promise<Stop>}
 */
export async function firstDeath(children) {
  const deaths = children.map(async (child) => ({ child, ending: await child.exited }));
  const { child, ending } = await Promise.race(deaths);
  return new Stop(
    `The ${child.name} has stopped (${ending}), so Sluice stops too. Its last lines:\n${child.tail()}`,
  );
}

/** Ends a child with SIGTERM, and after a grace period with SIGKILL.
 * @param {Child} child
 */
export async function stop(child) {
  signalGroup(child, "SIGTERM");
  const isGone = await Promise.race([child.exited.then(() => true), wait(graceMs, false, { ref: false })]);
  if (isGone) return;
  signalGroup(child, "SIGKILL");
  await child.exited;
}

/** Stops all children, the newest first: later ones depend on earlier ones. */
export async function stopAll() {
  isStopping = true;
  for (const child of [...running].reverse()) await stop(child);
}

/** Kills all children at once, for a second Ctrl-C. */
export function killAll() {
  for (const child of running) signalGroup(child, "SIGKILL");
}

/** @param {Child} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  const { pid, exitCode, signalCode } = child.process;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
