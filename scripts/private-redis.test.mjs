import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stop } from "./children.mjs";
import { findProgram } from "./find-program.mjs";
import { chooseFreePort } from "./ports.mjs";
import { servesFolder, socketOf, startPrivateRedis } from "./private-redis.mjs";

const program = findProgram("redis-server", "valkey-server") ?? "";
/** @type {string} */
let folder;
/** @type {import("./children.mjs").Child[]} */
let children;
/** @type {string[]} */
let said;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "sluice-redis-")), "redis");
  [children, said] = [[], []];
});
afterEach(async () => {
  for (const child of children) await stop(child);
  rmSync(dirname(folder), { recursive: true, force: true });
});

async function startIt(where = folder, isEmpty = false) {
  const logFolder = join(dirname(folder), "log");
  const say = (/** @type {string} */ text) => void said.push(text);
  const redis = await startPrivateRedis({ program, folder: where, logFolder, isEmpty, say });
  children.push(redis.child);
  return redis;
}

/** @template T @param {string | number} place @param {(redis: Redis) => Promise<T>} act */
async function on(place, act) {
  const redis = typeof place === "number" ? new Redis(place) : new Redis({ path: place });
  return act(redis).finally(() => redis.disconnect());
}

test("listens on a socket that other users cannot reach, and on no port", async () => {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const redis = await startIt();
  expect(redis.url).toBe(join(folder, "redis.sock"));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(redis.url).mode & 0o077).toBe(0);
  const [port, persistent] = await on(redis.url, (client) =>
    Promise.all([client.config("GET", "port"), client.config("GET", "appendonly")]),
  );
  expect([port, persistent]).toEqual([
    ["port", "0"],
    ["appendonly", "yes"],
  ]);
});

test("keeps the data of earlier runs, unless it is to begin empty", async () => {
  const first = await startIt();
  await on(first.url, (client) => client.set("key", "value"));
  await stop(first.child);
  const second = await startIt();
  expect(await on(second.url, (client) => client.get("key"))).toBe("value");
  await stop(second.child);
  const third = await startIt(folder, true);
  expect(await on(third.url, (client) => client.dbsize())).toBe(0);
});

test("takes over the data, and stops a server that an earlier version left running on a port", async () => {
  mkdirSync(folder);
  const port = await chooseFreePort();
  const words = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--appendonly",
    "yes",
    "--save",
    "",
  ];
  const earlier = spawn(program, words, { stdio: "ignore", env: { ...process.env, LC_ALL: "C" } });
  const gone = once(earlier, "exit");
  await expect.poll(() => servesFolder(port, folder)).toBe(true);
  await on(port, (client) => client.set("blocklist:203.0.113.9", "scans"));
  writeFileSync(join(folder, "port"), String(port));
  const redis = await startIt();
  await gone;
  expect(said).toEqual([`stopping the one that was left running on port ${port}`]);
  expect(await on(redis.url, (client) => client.get("blocklist:203.0.113.9"))).toBe("scans");
  expect(existsSync(join(folder, "port"))).toBe(false);
});

test("replaces one that outlived its parent, and starts if a dead one left its socket", async () => {
  const first = await startIt();
  await on(first.url, (client) => client.set("x", "1"));
  const second = await startIt();
  expect(await first.child.exited).toBe("exit code 0");
  second.child.process.kill("SIGKILL");
  await second.child.exited;
  expect(existsSync(second.url)).toBe(true);
  const third = await startIt();
  expect(await on(third.url, (client) => client.get("x"))).toBe("1");
});

test("does not stop another server on the port of an earlier run", async () => {
  mkdirSync(folder);
  const other = mkdtempSync(join(tmpdir(), "sluice-other-"));
  const port = await chooseFreePort();
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--dir", other, "--save", ""];
  const foreign = spawn(program, words, { stdio: "ignore", env: { ...process.env, LC_ALL: "C" } });
  await expect.poll(() => servesFolder(port, other)).toBe(true);
  writeFileSync(join(folder, "port"), String(port));
  await startIt();
  expect(await on(port, (client) => client.ping())).toBe("PONG");
  foreign.kill();
  await once(foreign, "exit");
  rmSync(other, { recursive: true });
});

test("listens in a folder of this user if the path is too long for a socket", async () => {
  const deep = join(folder, "x".repeat(60), "y".repeat(60));
  const redis = await startIt(deep);
  expect(Buffer.byteLength(redis.url)).toBeLessThan(104);
  expect(redis.url).toBe(socketOf(deep));
  expect(statSync(dirname(redis.url)).mode & 0o777).toBe(0o700);
  expect(await on(redis.url, (client) => client.config("GET", "dir"))).toEqual(["dir", deep]);
  rmSync(dirname(redis.url), { recursive: true });
});
