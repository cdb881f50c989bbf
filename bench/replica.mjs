import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { parseAddress } from "../dist/ip/parse.js";
import { entries, randomFrom } from "./entries.mjs";

const count = 1_000_000;

/**
 * Fills Redis, and starts a process that loads the lists and looks up addresses.
 * @param {string} url
 * @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureReplica(url) {
  const bytes = await fill(url);
  const child = spawn(
    process.execPath,
    ["--expose-gc", fileURLToPath(new URL("replica-node.mjs", import.meta.url)), url],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  const [message] = await once(child, "message");
  await once(child, "exit");
  const { rows, figures } = message;
  return { rows, figures: { ...figures, "Redis memory, MB": (bytes / 1e6).toFixed(0) } };
}

/** @param {string} url */
export async function fill(url) {
  const redis = new Redis(url);
  const source = entries(randomFrom(1));
  const value = JSON.stringify({
    reason: "credential stuffing",
    by: "oncall@example.com",
    at: "2026-01-05T10:00:00.000Z",
    via: "console",
  });
  for (let written = 0; written < count; ) {
    const batch = redis.pipeline();
    for (let i = 0; i < 10_000; i++, written++) {
      const parsed = parseAddress(source.next().value ?? "");
      if (!parsed.ok) throw new Error(parsed.reason);
      batch.set(`blocklist:${parsed.value}`, value, "EX", 604_800);
    }
    await batch.exec();
  }
  const used = Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
  redis.disconnect();
  return used;
}
