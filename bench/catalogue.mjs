import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { parseAddress } from "../dist/ip/parse.js";
import { entries, randomFrom } from "./entries.mjs";

const count = 1_000_000;
const weekMs = 604_800_000;
const people = Array.from({ length: 40 }, (_, i) => `person${i}@example.com`);
const reasons = [
  "Credential stuffing on /session",
  "Scraping the catalogue",
  "sqlmap against the shop",
  "Card testing",
];

/**
 * Fills Redis, and starts a process that loads, sorts and searches: once with reasons that entries share, once with a
 * different reason for each.
 * @param {string} url
 * @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureCatalogue(url) {
  /** @type {Awaited<ReturnType<typeof measureCatalogue>>} */
  const all = { rows: [], figures: {} };
  for (const kind of /** @type {const} */ (["shared", "own"])) {
    await fill(url, kind);
    const program = fileURLToPath(new URL("catalogue-node.mjs", import.meta.url));
    const child = spawn(process.execPath, ["--expose-gc", program, url, kind], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const [{ rows, figures }] = await once(child, "message");
    await once(child, "exit");
    all.rows.push(...rows);
    Object.assign(all.figures, figures);
  }
  return all;
}

/** @param {string} url @param {"shared" | "own"} kind of reasons */
async function fill(url, kind) {
  const redis = new Redis(url);
  await redis.flushall();
  const random = randomFrom(3);
  const source = entries(randomFrom(1));
  for (let written = 0; written < count; ) {
    const batch = redis.pipeline();
    for (let i = 0; i < 10_000; i++, written++) {
      const parsed = parseAddress(source.next().value ?? "");
      if (!parsed.ok) throw new Error(parsed.reason);
      const reason = reasons[Math.floor(random() * reasons.length)];
      const value = JSON.stringify({
        reason: kind === "shared" ? reason : `${reason}, report ${written}`,
        by: people[Math.floor(random() * people.length)],
        at: new Date(Date.now() - Math.floor(random() * weekMs)).toISOString(),
        via: random() < 0.5 ? "console" : "auto:login/ip",
      });
      const list = random() < 0.97 ? "blocklist" : "safelist";
      if (random() < 0.05) batch.set(`${list}:${parsed.value}`, value);
      else batch.set(`${list}:${parsed.value}`, value, "PX", 3_600_000 + Math.floor(random() * weekMs));
    }
    await batch.exec();
  }
  redis.disconnect();
}
