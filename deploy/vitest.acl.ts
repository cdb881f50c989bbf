import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { run } from "@/lib/cli/run.ts";
import { eventually, freePort } from "@/lib/redis/testing.ts";

/** The two users of users.acl, and one of the tests' own who may ask what was refused to them. */
export type User = "console" | "guard" | "inspector";

/** What the console seals its records with. */
export const secret = "a secret that Redis never sees";

export interface GuardedRedis {
  readonly port: number;
  urlOf(user: User): string;
  as<T>(user: User, act: (redis: Redis) => Promise<T>): Promise<T>;
  /** What the server has refused since it was last asked, also inside of scripts that go on without it. */
  takeRefusals(): Promise<unknown>;
  /** The command line, on the console's account. */
  sluice(...words: string[]): Promise<{ exit: number; said: unknown }>;
  stop(): Promise<void>;
}

/** Lines of a guard's log, without reports of late answers: those depend on the machine, not on permissions. */
export function withoutLateAnswers(lines: readonly string[]): string[] {
  return lines.filter((line) => !/does not answer in time|The counters answer again/.test(line));
}

/** A server as start-redis.sh starts it. */
export async function startGuardedRedis(...settings: string[]): Promise<GuardedRedis> {
  const dir = mkdtempSync(join(tmpdir(), "sluice-acl-"));
  const port = await freePort();
  for (const file of ["start-redis.sh", "users.acl"])
    copyFileSync(fileURLToPath(new URL(file, import.meta.url)), join(dir, file));
  appendFileSync(join(dir, "users.acl"), "user inspector on >inspectorpass ~* &* +@all\n");
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, ...settings];
  const passwords = { CONSOLE_REDIS_PASSWORD: "consolepass", GUARD_REDIS_PASSWORD: "guardpass" };
  const server = spawn("sh", [join(dir, "start-redis.sh"), ...words], {
    env: { ...process.env, ...passwords, TMPDIR: dir },
    stdio: "ignore",
  });
  const urlOf = (user: User) => `redis://${user}:${user}pass@127.0.0.1:${port}`;
  const as: GuardedRedis["as"] = async (user, act) => {
    const redis = new Redis(urlOf(user), { retryStrategy: () => 50, maxRetriesPerRequest: null });
    redis.on("error", () => {});
    return act(redis).finally(() => redis.disconnect());
  };
  await as("inspector", (redis) => eventually(() => redis.ping()));
  return {
    port,
    urlOf,
    as,
    takeRefusals: () =>
      as("inspector", async (redis) => {
        const refusals = await redis.call("ACL", "LOG");
        await redis.call("ACL", "LOG", "RESET");
        return refusals;
      }),
    sluice: (...given) => sluice(urlOf("console"), given),
    async stop() {
      if (server.exitCode === null) {
        const gone = once(server, "exit");
        server.kill("SIGTERM");
        await gone;
      }
      rmSync(dir, { recursive: true });
    },
  };
}

async function sluice(url: string, words: string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const environment = {
    redisUrl: url,
    countersRedisUrl: url,
    trustedProxies: undefined,
    neverBlock: undefined,
    secret,
  };
  const exit = await run([...words, "--json"], { stdin, stdout, stderr, isTTY: false, environment });
  stdout.end();
  const said: unknown = JSON.parse(await text(stdout));
  return { exit, said };
}
