import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { standalone } from "../scripts/build-app.mjs";
import { start, stop } from "../scripts/children.mjs";
import { chooseFreePort } from "../scripts/ports.mjs";
import { startBenchRedis } from "./bench-redis.mjs";

export const admin = { email: "bench@example.org", password: "measures and prints" };
export const consoleSecret = "a secret of at least thirty-two characters";
/** Waiting time in ms. The console first copies the lists, for which it reads all keys. */
const loadMs = 10_000;

/** Starts another server with a copy of the data. @param {string} url */
export async function startCopy(url) {
  const server = await startBenchRedis();
  const copy = new Redis(server.url);
  const { hostname, port } = new URL(url);
  await copy.replicaof(hostname, port);
  while (!/master_link_status:up/.test(await copy.info("replication"))) await pause(100);
  await copy.replicaof("NO", "ONE");
  copy.disconnect();
  return server;
}

/**
 * The built console in a process of its own.
 * @param {string} redisUrl @param {(text: string) => void} [onError] called with what it prints on stderr
 */
export async function startConsole(redisUrl, onError) {
  const port = await chooseFreePort();
  const url = `http://127.0.0.1:${port}`;
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    ...{ SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password },
    ...{ NODE_ENV: "production", PORT: String(port), HOSTNAME: "127.0.0.1" },
    ...{ REDIS_URL: redisUrl, COUNTERS_REDIS_URL: "", NEXTAUTH_URL: url },
    NEXTAUTH_SECRET: consoleSecret,
  };
  const child = start("console", process.execPath, [`${standalone}/server.js`], {
    env,
    onText: (text, isError) => isError && onError?.(text),
  });
  for (let isUp = false; !isUp; await pause(50)) {
    if (child.process.exitCode !== null) throw new Error(`The console did not start:\n${child.tail()}`);
    isUp = await fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  await pause(loadMs);
  return {
    url,
    /** Pauses the process of the console. */
    hold: () => void child.process.kill("SIGSTOP"),
    resume: () => void child.process.kill("SIGCONT"),
    stop() {
      child.process.kill("SIGCONT");
      return stop(child);
    },
  };
}

/** Times of reads in ms, by path. @typedef {[path: string, times: number[]][]} Took */

/** Ten who watch it. @param {string} url */
export async function startConsoles(url) {
  const program = fileURLToPath(new URL("consoles.mjs", import.meta.url));
  const words = [program, url, admin.email, admin.password];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const answer = async () => {
    const [message] = await once(child, "message", { signal: AbortSignal.timeout(60_000) });
    return message;
  };
  const ask = (/** @type {"open" | "close" | "page" | "tell"} */ what) => {
    child.send(what);
    return answer();
  };
  await answer();
  return {
    open: () => ask("open"),
    /** Resolves once no answer is outstanding. */
    close: () => ask("close"),
    loadPages: () => ask("page"),
    /** Times since the last report. @returns {Promise<Took>} */
    tell: async () => (await ask("tell")).took,
    end: () => void child.kill("SIGKILL"),
  };
}
