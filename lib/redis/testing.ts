import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

/** A real server of one's own, on a free loopback port, that a test may kill, freeze, fill and flush. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** For the test's own commands; reconnects by itself. */
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
    freeze: () => void server.kill("SIGSTOP"),
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
export async function eventually<T>(look: () => T | Promise<T>, withinMs = 10_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  await new Promise((resolve) => server.close(resolve));
  return address.port;
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
