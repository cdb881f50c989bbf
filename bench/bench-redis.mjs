import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureRedis } from "../scripts/ensure-redis.mjs";

/** Starts a Redis for a benchmark, without persistence, on a free loopback port. */
export async function startBenchRedis() {
  const program = await ensureRedis();
  const port = await freePort();
  // The copy of another server arrives as a file. A new folder hides it from later servers.
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-redis-"));
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
  words.push("--save", "", "--appendonly", "no");
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  for await (const chunk of child.stdout) {
    if (String(chunk).includes("Ready to accept connections")) break;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const gone = once(child, "exit");
      kill();
      await gone;
      process.off("exit", kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}
