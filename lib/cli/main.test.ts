import { type ExecFileException, execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { secret } from "./testing.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

let server: TestRedis;
let folder: string;

/** What a shell would see. */
function execute(program: string, argv: readonly string[], env = {}) {
  return new Promise<{ exit: number; stdout: string; stderr: string; tookMs: number }>((resolve) => {
    const begun = performance.now();
    const settings = {
      env: { PATH: "/usr/bin:/bin", NEXTAUTH_SECRET: secret, NODE_ENV: "test" as const, ...env },
    };
    execFile(program, [...argv], settings, (error: ExecFileException | null, stdout, stderr) => {
      const exit = typeof error?.code === "number" ? error.code : error ? -1 : 0;
      resolve({ exit, stdout, stderr, tookMs: performance.now() - begun });
    });
  });
}

const sluice = (argv: readonly string[], redisUrl: string) =>
  execute(process.execPath, [join(folder, "dist/cli/main.js"), ...argv], { REDIS_URL: redisUrl });

beforeAll(async () => {
  server = await startRedis();
  folder = await mkdtemp(join(tmpdir(), "sluice-cli-"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await symlink(join(project, "node_modules"), join(folder, "node_modules"));
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  const built = await execute(process.execPath, [
    tsc,
    "-p",
    join(project, "lib"),
    "--outDir",
    join(folder, "dist"),
  ]);
  if (!existsSync(join(folder, "dist/cli/main.js")))
    throw new Error(`not built: ${built.stdout}${built.stderr}`);
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
  expect(stdout).toMatch(/^address,expires_at,reason,by,at,via\r\n203\.0\.113\.9,[\s\S]*\r\n$/);
});

it("says in one sentence within 3 s that Redis is away, or hangs", async () => {
  const unreachable = /^Redis at 127\.0\.0\.1:\d+ is not reachable: .+\n$/;
  const away = await sluice(["block", "add", "203.0.113.9"], "redis://:hush@127.0.0.1:1");
  expect(away).toMatchObject({ exit: 3, stdout: "", stderr: expect.stringMatching(unreachable) });
  server.freeze();
  const hung = await sluice(["doctor"], server.url);
  server.thaw();
  expect(hung).toMatchObject({ exit: 3, stdout: "", stderr: expect.stringMatching(unreachable) });
  expect(Math.max(away.tookMs, hung.tookMs)).toBeLessThan(3_000);
  const told = await sluice(["explain", "1.2.3.4", "--json"], "redis://127.0.0.1:1");
  expect(told.exit).toBe(3);
  expect(JSON.parse(told.stdout)).toMatchObject({ error: { code: "redis-unavailable" } });
});
