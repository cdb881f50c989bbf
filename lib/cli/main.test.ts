import { type ExecFileException, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, startRedis, type TestRedis } from "../redis/testing.ts";
import { queuedMs, timed } from "../redis/testing-stopwatch.ts";
import { secret } from "./testing.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const main = join(project, "dist/cli/main.js");

let server: TestRedis;
let folder: string;

interface Executed {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
  /** Time in ms for which the program waited for a free core. */
  readonly queuedMs: number;
}

/** Output and exit code of a program. */
function execute(program: string, argv: readonly string[], env = {}) {
  return new Promise<Executed>((resolve) => {
    const begun = performance.now();
    const settings = {
      env: { PATH: "/usr/bin:/bin", NEXTAUTH_SECRET: secret, NODE_ENV: "test" as const, ...env },
    };
    let queued = 0;
    const child = execFile(
      program,
      [...argv],
      settings,
      (error: ExecFileException | null, stdout, stderr) => {
        const exit = typeof error?.code === "number" ? error.code : error ? -1 : 0;
        clearInterval(watch);
        resolve({ exit, stdout, stderr, tookMs: performance.now() - begun, queuedMs: queued });
      },
    );
    // What the system counts is gone with the process.
    const watch = setInterval(() => {
      queued = Math.max(queued, queuedMs(child.pid ?? 0));
    }, 50);
  });
}

const sluice = (argv: readonly string[], redisUrl: string) =>
  execute(process.execPath, [main, ...argv], { REDIS_URL: redisUrl });

beforeAll(async () => {
  server = await startRedis();
  folder = await mkdtemp(join(tmpdir(), "sluice-cli-"));
  // Built again only if its sources have changed.
  const build = `import("${join(project, "scripts/build-lib.mjs")}").then(({ ensureLib }) => ensureLib())`;
  const built = await execute(process.execPath, ["--eval", build]);
  if (built.exit !== 0) throw new Error(`not built: ${built.stdout}${built.stderr}`);
}, 60_000);

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

it("runs as a program", async () => {
  const added = await sluice(["block", "add", "203.0.113.9", "--json"], server.url);
  expect(added).toMatchObject({ exit: 0, stderr: "" });
  expect(JSON.parse(added.stdout)).toMatchObject({
    list: "blocklist",
    change: 1,
    outcomes: [{ outcome: "added" }],
  });
  expect(await sluice(["block", "lst"], server.url)).toMatchObject({ exit: 2, stdout: "" });
  const { stdout } = await sluice(["block", "export"], server.url);
  expect(stdout).toMatch(/^address,expires_at,reason,by,at,via,tags\r\n203\.0\.113\.9,[\s\S]*\r\n$/);
});

it("reports in one sentence within 3 s that Redis is down, or hangs", async () => {
  const unreachable = /^Redis at 127\.0\.0\.1:\d+ is not reachable: .+\n$/;
  const away = await sluice(["block", "add", "203.0.113.9"], "redis://:hush@127.0.0.1:1");
  expect(away).toMatchObject({ exit: 3, stdout: "", stderr: expect.stringMatching(unreachable) });
  server.freeze();
  const hung = await sluice(["doctor"], server.url);
  server.thaw();
  expect(hung).toMatchObject({ exit: 3, stdout: "", stderr: expect.stringMatching(unreachable) });
  // Plus 1.5 s for a busy machine.
  for (const { tookMs, queuedMs } of [away, hung]) expect(tookMs - queuedMs).toBeLessThan(4_500);
  const explained = await sluice(["explain", "1.2.3.4", "--json"], "redis://127.0.0.1:1");
  expect(explained.exit).toBe(3);
  expect(JSON.parse(explained.stdout)).toMatchObject({ error: { code: "redis-unavailable" } });
});

it("the next import continues one that was killed halfway, in the same record", async () => {
  await server.client.flushall();
  const file = join(folder, "feed.txt");
  // So many that the import goes on for some seconds after the test has seen its first parts.
  const lines = Array.from({ length: 120_000 }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  await writeFile(file, lines.join("\n"));
  const env = {
    PATH: "/usr/bin:/bin",
    NEXTAUTH_SECRET: secret,
    NODE_ENV: "test" as const,
    REDIS_URL: server.url,
  };
  const killed = spawn(process.execPath, [main, "block", "import", file], { env, stdio: "ignore" });
  const ended = once(killed, "exit");
  await eventually(async () => {
    const [part = ""] = (await server.client.keys("sluice:audit:part:*")).filter(
      (key) => !key.endsWith(":head"),
    );
    expect(await server.client.xlen(part)).toBeGreaterThan(2);
  });
  killed.kill("SIGKILL");
  await ended;
  const before = (await server.client.keys("blocklist:*")).length;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(lines.length);
  const { stdout, exit } = await sluice(["block", "import", file], server.url);
  expect(exit).toBe(0);
  expect(stdout).toContain(`Record 1 in the audit log, continued after ${before} entries.`);
  expect(await server.client.xlen("sluice:audit")).toBe(1);
  expect((await server.client.keys("blocklist:*")).length).toBe(lines.length);
}, 60_000);

it("imports 120,000 addresses in one record within 20 s, and undoes it in one record within 20 s", async () => {
  await server.client.flushall();
  const count = 120_000;
  const file = join(folder, "long-feed.txt");
  const lines = Array.from({ length: count }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  await writeFile(file, lines.join("\n"));
  const [imported, importing] = await timed(server.client, () =>
    sluice(["block", "import", file], server.url),
  );
  expect(imported).toMatchObject({ exit: 0, stdout: expect.stringContaining("120000 added") });
  expect(await server.client.dbsize()).toBeGreaterThan(count);
  const [undone, undoing] = await timed(server.client, () => sluice(["undo", "1"], server.url));
  expect(undone).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining("Record 1 is undone by record 2: 120000 changes undone."),
  });
  expect(await server.client.keys("blocklist:*")).toEqual([]);
  expect(await server.client.xlen("sluice:audit")).toBe(2);
  expect(importing.elapsedMs - imported.queuedMs).toBeLessThan(20_000);
  expect(undoing.elapsedMs - undone.queuedMs).toBeLessThan(20_000);
}, 120_000);
