import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { eventually, freePort, startRedis } from "../lib/redis/testing.ts";

test.describe.configure({ mode: "serial", timeout: 90_000 });

const project = fileURLToPath(new URL("..", import.meta.url));
const ups: Up[] = [];
let folder: string;
let port: number;

/** `npm run up` in a terminal of its own. */
interface Up {
  readonly npm: ChildProcess;
  readonly ended: Promise<number | null>;
  said(): string;
}

function up(environment: NodeJS.ProcessEnv | Record<string, string> = {}): Up {
  const npm = spawn("npm", ["run", "up"], {
    cwd: folder,
    env: { ...process.env, REDIS_URL: "", NEXTAUTH_SECRET: "", PORT: String(port), ...environment },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const ended = once(npm, "close").then(([code]) => code);
  const started = { npm, ended, said: () => output };
  ups.push(started);
  return started;
}

/** Once it serves; fails with what it said if it ends instead. */
async function ready(started: Up): Promise<Up> {
  await eventually(() => {
    if (started.npm.exitCode === null && !started.said().includes("Sluice is ready"))
      throw new Error("not yet");
  }, 80_000);
  expect(started.said()).toContain("Sluice is ready");
  return started;
}

/** Ctrl-C goes to everything in the terminal's foreground. */
function interrupt({ npm }: Up): void {
  process.kill(-(npm.pid ?? 0), "SIGINT");
}

const health = () => fetch(`http://127.0.0.1:${port}/api/health`).then((answer) => answer.json());
const instance = () => JSON.parse(readFileSync(join(folder, ".data/env.json"), "utf8"));
const redisPort = () => readFileSync(join(folder, ".data/redis/port"), "utf8");

/** Everything that works in the folder: `up` itself, the web server, Redis. Linux tells where a process works. */
function leftovers(): { pid: number; command: string }[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) return [];
      return [
        { pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") },
      ];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function pidOf(command: string): number {
  const found = leftovers().find((each) => each.command.includes(command));
  if (found === undefined) throw new Error(`${command} does not run`);
  return found.pid;
}

async function isRefused(): Promise<boolean> {
  return health().then(
    () => false,
    () => true,
  );
}

function redisCli(...words: string[]): string {
  return execFileSync("redis-cli", ["-p", redisPort(), ...words], { encoding: "utf8" }).trim();
}

const sluice = (...words: string[]) =>
  execFileSync("npm", ["run", "--silent", "sluice", "--", ...words], { cwd: folder, encoding: "utf8" });

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-up-"));
  port = await freePort();
  const copied = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: project,
    encoding: "utf8",
  });
  for (const path of copied.split("\n").filter((path) => path && existsSync(join(project, path)))) {
    cpSync(join(project, path), join(folder, path));
  }
  // The packages are tested by whoever clones; here they come along.
  cpSync(join(project, "node_modules"), join(folder, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
  });
});

test.afterAll(async () => {
  for (const { npm, ended } of ups) {
    if (npm.exitCode === null && npm.signalCode === null) interrupt({ npm, ended, said: () => "" });
    await ended;
  }
  for (const { pid } of leftovers()) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

test("comes up with a Redis of its own, and Ctrl-C leaves nothing behind", async () => {
  const first = await ready(up({ SLUICE_ADMIN_EMAIL: "", SLUICE_ADMIN_PASSWORD: "" }));
  expect(await health()).toEqual({ status: "ok" });
  const password = /^ {2}Sign in {2}as admin@localhost, password (\S+) /m.exec(first.said())?.[1] ?? "";
  expect(password).toMatch(/^([a-z2-9]{5}-?){4}$/);
  expect(readFileSync(join(folder, ".data/log/web-server.log"), "utf8")).not.toContain(password);
  expect(redisCli("CONFIG", "GET", "appendonly")).toContain("yes");
  expect(redisCli("CONFIG", "GET", "maxmemory-policy")).toContain("noeviction");
  expect(redisPort()).not.toBe("6379");
  expect(statSync(join(folder, ".data/secret")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, ".data/env.json")).mode & 0o777).toBe(0o600);
  sluice("block", "add", "203.0.113.9", "--reason", "scans");
  expect(redisCli("GET", "blocklist:203.0.113.9")).toContain("scans");
  interrupt(first);
  expect(await first.ended).toBe(130);
  expect(leftovers()).toEqual([]);
  expect(await isRefused()).toBe(true);
  expect(existsSync(join(folder, ".data/env.json"))).toBe(false);
});

test("comes up again within ten seconds, with its data, and only once in a folder", async () => {
  const startedAt = performance.now();
  const second = await ready(up());
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(second.said()).toContain("build (already there)");
  expect(second.said()).not.toContain("Sign in");
  expect(redisCli("GET", "blocklist:203.0.113.9")).toContain("scans");
  expect(JSON.parse(sluice("block", "list", "--json"))).toBeTruthy();
  const other = up({ PORT: String(await freePort()) });
  expect(await other.ended).toBe(1);
  expect(other.said()).toContain(`Sluice is already running at http://localhost:${port}`);
  expect(instance().PORT).toBe(String(port));
  expect(await health()).toEqual({ status: "ok" });
});

test("after a kill -9 nothing holds the port, and the next run takes over the Redis that was left", async () => {
  const orphan = pidOf("redis-server");
  process.kill(pidOf("scripts/up.mjs"), "SIGKILL");
  await ups[1]?.ended;
  await eventually(async () => expect(await isRefused()).toBe(true));
  expect(redisCli("PING")).toBe("PONG");
  const third = await ready(up());
  expect(third.said()).toContain("left running");
  expect(pidOf("redis-server")).not.toBe(orphan);
  expect(redisCli("GET", "blocklist:203.0.113.9")).toContain("scans");
});

test("when its Redis dies it says so, stops and leaves nothing behind", async () => {
  const third = ups.at(-1);
  process.kill(pidOf("redis-server"), "SIGKILL");
  expect(await third?.ended).toBe(1);
  expect(third?.said()).toContain("The redis-server has stopped");
  expect(leftovers()).toEqual([]);
});

test("starts over a stale pid file and a Redis port that somebody else has taken", async () => {
  writeFileSync(join(folder, ".data/redis/redis.pid"), String(process.pid));
  const lastPort = redisPort();
  const squatter = createServer().listen(Number(lastPort), "127.0.0.1");
  await once(squatter, "listening");
  try {
    const fourth = await ready(up());
    expect(redisPort()).not.toBe(lastPort);
    expect(redisCli("GET", "blocklist:203.0.113.9")).toContain("scans");
    fourth.npm.kill("SIGTERM");
    expect(await fourth.ended).toBe(143);
    expect(leftovers()).toEqual([]);
  } finally {
    squatter.close();
  }
});

test("names a port that is taken, and how to choose another", async () => {
  const squatter = createServer().listen(port, "127.0.0.1");
  await once(squatter, "listening");
  try {
    const refused = up();
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toContain(`Port ${port} is taken`);
    expect(refused.said()).toContain(`PORT=${port + 1} npm run up`);
    expect(leftovers()).toEqual([]);
  } finally {
    squatter.close();
  }
});

test("with REDIS_URL it starts no Redis", async () => {
  const redis = await startRedis();
  try {
    const guest = await ready(up({ REDIS_URL: redis.url }));
    expect(guest.said()).not.toContain("✓ Redis");
    expect(await health()).toEqual({ status: "ok" });
    expect(instance().REDIS_URL).toBe(redis.url);
    interrupt(guest);
    expect(await guest.ended).toBe(130);
    expect(await redis.client.ping()).toBe("PONG");
  } finally {
    await redis.stop();
  }
});
