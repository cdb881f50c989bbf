import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

/** A real server of one's own, on a free loopback port, that a test may kill, freeze, fill and flush. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** For the test's own commands; reconnects automatically. */
  readonly client: Redis;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Starts again on the same port with what it has on disk: everything with AOF, nothing without. */
  restart(): Promise<void>;
  restartEmpty(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(...settings: string[]): Promise<TestRedis> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), "sluice-redis-"));
  let server = await launch(port, dir, settings);
  const relaunch = async () => {
    await kill();
    server = await launch(port, dir, settings);
  };
  const client = new Redis({ port, host: "127.0.0.1", retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on("error", () => {});
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    client,
    kill,
    freeze: () => freeze(server),
    thaw: () => void server.kill("SIGCONT"),
    restart: relaunch,
    async restartEmpty() {
      await kill();
      rmSync(join(dir, "appendonlydir"), { recursive: true, force: true });
      await relaunch();
    },
    async stop() {
      client.disconnect();
      server.kill("SIGCONT");
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Waits for what a test expects, polling; fails with the last reason. */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = 20_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  let isLast = false;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (isLast) throw error;
      isLast = performance.now() > deadline;
    }
    // After a pause of this process what is expected may be here and not read yet: a timer's turn ends with the reading.
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (isLast) await new Promise(setImmediate);
  }
}

/** Waits until a window of Redis' clock has ten seconds left. */
export async function inOneWindow(client: Redis, periodSeconds: number): Promise<void> {
  await eventually(async () => {
    const left = periodSeconds - (Number((await client.time())[0]) % periodSeconds);
    if (left < 10) throw new Error(`the window ends in ${left} s`);
  });
}

/**
 * Stops a process until it gets SIGCONT. The signal takes a moment to reach each thread, and one that still runs answers: this
 * returns when none runs any more, where the system says so.
 */
export function freeze(child: ChildProcess): void {
  child.kill("SIGSTOP");
  const threads = `/proc/${child.pid}/task`;
  if (!existsSync(threads)) return;
  const runs = (thread: string) =>
    !/\) [tTZ] [^)]*$/.test(readFileSync(join(threads, thread, "stat"), "utf8"));
  while (readdirSync(threads).some(runs));
}

/** Below the ports that systems give to connections: one of those might take a port before its server listens. */
const ports = { first: 10_240, count: 20_000 };
/** Each process begins elsewhere, and no port is returned twice before all were. */
let nextPort = process.pid * 97;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports.count; tries++) {
    const port = ports.first + (nextPort++ % ports.count);
    if (await isFree(port)) return port;
  }
  throw new Error("all ports are taken");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).once("listening", () => resolve(true));
  });
  server.listen(port, "127.0.0.1");
  if (!(await listening)) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

async function launch(port: number, dir: string, settings: string[]): Promise<ChildProcess> {
  const base = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    dir,
    "--save",
    "",
    "--daemonize",
    "no",
  ];
  return startServer([...base, ...settings], /Ready to accept connections/);
}

/** A redis-server process, once its log says that it is ready. */
export async function startServer(words: string[], isReady: RegExp): Promise<ChildProcess> {
  const server = spawn(redisBinary(), words, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    let log = "";
    server.stdout.on("data", (chunk: Buffer) => {
      log += chunk;
      if (isReady.test(log)) resolve();
    });
    server.once("exit", () => reject(new Error(`redis-server did not start:\n${log}`)));
    server.once("error", reject);
  });
  return server;
}

let binary: string | undefined;
function redisBinary(): string {
  binary ??= execFileSync("sh", ["-c", "command -v redis-server || command -v valkey-server"], {
    encoding: "utf8",
  }).trim();
  return binary;
}
