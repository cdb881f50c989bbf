import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { eventually, freePort, startRedis } from "@/lib/redis/testing.ts";
import { Clone, interrupt, printedPassword, type Running, ready } from "./fixtures/clone.ts";

test.describe.configure({ mode: "serial", timeout: 180_000 });

const ups: Running[] = [];
let clone: Clone;

function up(environment: Readonly<Record<string, string>> = {}): Running {
  const started = clone.start("up", environment);
  ups.push(started);
  return started;
}

const inClone = (path: string) => join(clone.folder, path);
const health = () => fetch(`http://127.0.0.1:${clone.port}/api/health`).then((answer) => answer.json());
const instance = () => JSON.parse(readFileSync(inClone(".data/env.json"), "utf8"));
const redisSocket = () => String(instance().REDIS_URL);

function pidOf(command: string): number {
  const found = clone.leftovers().find((each) => each.command.includes(command));
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
  return execFileSync("redis-cli", ["-s", redisSocket(), ...words], { encoding: "utf8" }).trim();
}

const sluice = (...words: string[]) =>
  execFileSync("npm", ["run", "--silent", "sluice", "--", ...words], { cwd: clone.folder, encoding: "utf8" });

test.beforeAll(async () => {
  clone = await Clone.make({ made: [".next/standalone", "dist"], packages: "linked" });
});

test.afterAll(() => clone.remove());

test("comes up with a Redis of its own, and Ctrl-C leaves nothing behind", async () => {
  const first = await ready(up({ SLUICE_ADMIN_EMAIL: "", SLUICE_ADMIN_PASSWORD: "" }));
  expect(await health()).toEqual({ status: "ok" });
  const password = printedPassword(first);
  expect(password).toMatch(/^([a-z2-9]{5}-?){4}$/);
  expect(readFileSync(inClone(".data/log/web-server.log"), "utf8")).not.toContain(password);
  expect(redisCli("CONFIG", "GET", "appendonly")).toContain("yes");
  expect(redisCli("CONFIG", "GET", "maxmemory-policy")).toContain("noeviction");
  expect(redisSocket()).toMatch(/^\/.*\/redis\.sock$/);
  expect(redisCli("CONFIG", "GET", "port")).toBe("port\n0");
  expect(statSync(join(redisSocket(), "..")).mode & 0o777).toBe(0o700);
  expect(statSync(inClone(".data/secret")).mode & 0o777).toBe(0o600);
  expect(statSync(inClone(".data/env.json")).mode & 0o777).toBe(0o600);
  sluice("block", "add", "203.0.113.9", "--reason", "scans");
  expect(redisCli("GET", "blocklist:203.0.113.9")).toContain("scans");
  interrupt(first);
  expect(await first.ended).toBe(130);
  await eventually(() => expect(clone.leftovers()).toEqual([]));
  expect(await isRefused()).toBe(true);
  expect(existsSync(inClone(".data/env.json"))).toBe(false);
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
  expect(other.said()).toContain(`Sluice is already running at http://localhost:${clone.port}`);
  expect(instance().PORT).toBe(String(clone.port));
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
  await eventually(() => expect(clone.leftovers()).toEqual([]));
});

test("starts over a stale pid file, and a port file of an earlier version", async () => {
  writeFileSync(inClone(".data/redis/redis.pid"), String(process.pid));
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const { port: taken } = squatter.address() as AddressInfo;
  writeFileSync(inClone(".data/redis/port"), String(taken));
  try {
    const fourth = await ready(up());
    expect(redisCli("GET", "blocklist:203.0.113.9")).toContain("scans");
    fourth.npm.kill("SIGTERM");
    expect(await fourth.ended).toBe(143);
    await eventually(() => expect(clone.leftovers()).toEqual([]));
  } finally {
    squatter.close();
  }
});

test("names a port that is taken, and how to choose another", async () => {
  const squatter = createServer().listen(clone.port, "127.0.0.1");
  await once(squatter, "listening");
  try {
    const refused = up();
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toContain(`Port ${clone.port} is taken`);
    expect(refused.said()).toContain(`PORT=${clone.port + 1} npm run up`);
    await eventually(() => expect(clone.leftovers()).toEqual([]));
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
