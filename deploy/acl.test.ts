import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../lib/cli/run.ts";
import { createGuard } from "../lib/guard/guard.ts";
import { eventually, freePort } from "../lib/redis/testing.ts";

const dir = mkdtempSync(join(tmpdir(), "sluice-acl-"));
let server: ChildProcess;
let port: number;

const urlOf = (user: "console" | "guard") => `redis://${user}:${user}pass@127.0.0.1:${port}`;

beforeAll(async () => {
  port = await freePort();
  const script = fileURLToPath(new URL("start-redis.sh", import.meta.url));
  server = spawn("sh", [script, "--port", String(port), "--bind", "127.0.0.1", "--dir", dir], {
    env: {
      ...process.env,
      CONSOLE_REDIS_PASSWORD: "consolepass",
      GUARD_REDIS_PASSWORD: "guardpass",
      TMPDIR: dir,
    },
    stdio: "ignore",
  });
  const redis = connect("console");
  await eventually(() => redis.ping());
  redis.disconnect();
});

afterAll(async () => {
  if (server.exitCode === null) {
    const gone = once(server, "exit");
    server.kill("SIGTERM");
    await gone;
  }
  rmSync(dir, { recursive: true });
});

function connect(user: "console" | "guard"): Redis {
  return new Redis(urlOf(user), { retryStrategy: () => 50, maxRetriesPerRequest: null }).on(
    "error",
    () => {},
  );
}

async function sluice(...words: string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const environment = {
    redisUrl: urlOf("console"),
    countersRedisUrl: urlOf("console"),
    trustedProxies: undefined,
    neverBlock: undefined,
    secret: "a secret that Redis never sees",
  };
  const exit = await run([...words, "--json"], { stdin, stdout, stderr, isTTY: false, environment });
  stdout.end();
  return { exit, said: JSON.parse(await text(stdout)) };
}

test("the guard's user can do all a guard does, and sees what the console's user writes", async () => {
  const complaints: string[] = [];
  const guard = createGuard({ redis: urlOf("guard"), app: "shop", log: (line) => complaints.push(line) });
  try {
    await guard.ready();
    expect(await sluice("block", "add", "203.0.113.9", "--reason", "scans")).toMatchObject({ exit: 0 });
    const outcome = async (ip: string) => (await guard.check({ ip })).outcome;
    await eventually(async () => expect(await outcome("203.0.113.9")).toBe("blocked"));
    expect(await outcome("203.0.113.10")).toBe("pass");
    expect((await guard.explain({ ip: "203.0.113.9" })).steps).not.toEqual([]);
    // The node has said that it lives, and has acknowledged the change.
    const nodes = await eventually(async () => {
      const { said } = await sluice("doctor");
      const finding = said.findings.find((each: { check: string }) => each.check === "nodes");
      expect(finding, JSON.stringify(said)).toMatchObject({ status: "ok" });
      return finding.says;
    });
    expect(nodes).toContain("1");
    expect(complaints).toEqual([]);
  } finally {
    await guard.close();
  }
});

test("the console's user is refused nothing that doctor looks at", async () => {
  const { said } = await sluice("doctor");
  expect(JSON.stringify(said)).not.toMatch(/NOPERM|may not/i);
});

const refusedToGuard = [
  ["SET", "blocklist:203.0.113.9", "x"],
  ["DEL", "blocklist:203.0.113.9"],
  ["PEXPIRE", "blocklist:203.0.113.9", "1"],
  ["EVAL", "return redis.call('DEL', KEYS[1])", "1", "blocklist:203.0.113.9"],
  ["HSET", "sluice:live:never-block", "203.0.113.9", "x"],
  ["XRANGE", "sluice:audit", "-", "+"],
  ["GET", "sluice:audit:head"],
  ["GET", "session:1"],
  ["EVAL", "return redis.call('SET', 'safelist:1.2.3.4', 'x')", "0"],
  ["SUBSCRIBE", "orders"],
];
const refusedToBoth = [
  ["FLUSHALL"],
  ["KEYS", "*"],
  ["CONFIG", "SET", "dir", "/tmp"],
  ["SHUTDOWN"],
  ["ACL", "LIST"],
  ["SET", "orders", "x"],
];

test.each(refusedToGuard)("the guard's user may not %s %s", (...words) => expectRefusal("guard", words));
test.each(refusedToBoth)("the guard's user may not %s", (...words) => expectRefusal("guard", words));
test.each(refusedToBoth)("the console's user may not %s", (...words) => expectRefusal("console", words));

async function expectRefusal(user: "console" | "guard", [command = "", ...words]: string[]) {
  const redis = connect(user);
  try {
    await expect(redis.call(command, ...words)).rejects.toThrow(
      /NOPERM|ACL|permission|user executing the script can/i,
    );
  } finally {
    redis.disconnect();
  }
}

test("nobody gets in without a name", async () => {
  const redis = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => {});
  await expect(redis.connect().then(() => redis.call("GET", "x"))).rejects.toThrow(/NOAUTH|closed/i);
  redis.disconnect();
});
