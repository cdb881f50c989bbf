// `npm run up`: from a clean clone to a running Sluice. `npm run demo` is the same with a fleet under attack.
import { ensureBuilt } from "./build-app.mjs";
import { firstDeath } from "./children.mjs";
import { startServer } from "./console-server.mjs";
import {
  forgetInstance,
  installationSecret,
  logFolder,
  openDataFolder,
  recordInstance,
  redisFolder,
} from "./data-folder.mjs";
import { startFleet } from "./demo-fleet.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensurePackages } from "./ensure-packages.mjs";
import { ensureRedis } from "./ensure-redis.mjs";
import { atEnd, main } from "./main.mjs";
import { isTaken } from "./ports.mjs";
import { startPrivateRedis } from "./private-redis.mjs";
import { inProject, root } from "./project.mjs";
import { becomeOnlyRun } from "./single-run.mjs";
import { secondsSince, step } from "./steps.mjs";
import { Stop } from "./stop.mjs";

/** @typedef {import("./children.mjs").Child} Child */

const isDemo = process.argv.includes("--demo");

/** Runs until a child dies or something cannot go on; a signal ends it from outside. @returns {Promise<never>} */
async function up() {
  const startedAt = performance.now();
  ensureNode();
  const port = parsePort(process.env.PORT || "3000");
  openDataFolder();
  const run = await becomeOnlyRun();
  atEnd(run.end);
  if (await isTaken(port)) throw new Stop(portIsTaken(port));
  await ensurePackages();
  const program = process.env.REDIS_URL ? undefined : await ensureRedis();
  await ensureBuilt();
  const redis = await redisFor(program);
  const address = process.env.NEXTAUTH_URL || `http://localhost:${port}`;
  const instance = {
    REDIS_URL: redis.url,
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET || installationSecret(),
    NEXTAUTH_URL: address,
    PORT: String(port),
  };
  const { server, firstAdmin } = await startServer(instance);
  recordInstance(instance);
  atEnd(forgetInstance);
  const fleet = isDemo ? await startFleet(instance) : [];
  run.isServing(address);
  greet({ address, firstAdmin, redisPort: redis.port, took: secondsSince(startedAt) });
  throw await firstDeath([server, ...fleet, ...(redis.child ? [redis.child] : [])]);
}

/** @param {string} text */
function parsePort(text) {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Stop(
    `PORT is "${text}", but a port is a number from 1 to 65535. For example: PORT=3001 npm run up`,
  );
}

/** @param {number} port */
function portIsTaken(port) {
  const another = port === 65_535 ? 3000 : port + 1;
  return `Port ${port} is taken by another program. Choose another: PORT=${another} npm run up`;
}

/** The Redis of REDIS_URL, or one of our own.
 * @param {string | undefined} program
 * @returns {Promise<{ url: string; port?: number; child?: Child }>}
 */
async function redisFor(program) {
  if (!program) return { url: process.env.REDIS_URL ?? "" };
  /** @type {Awaited<ReturnType<typeof startPrivateRedis>> | undefined} */
  let redis;
  await step("Redis", async (say) => {
    redis = await startPrivateRedis({ program, folder: redisFolder, logFolder, say });
    return `port ${redis.port}, data in .data/redis`;
  });
  if (!redis) throw new Error("a step that succeeded left no Redis");
  return redis;
}

/** @param {{ address: string; firstAdmin: string | undefined; redisPort: number | undefined; took: string }} facts */
function greet({ address, firstAdmin, redisPort, took }) {
  const redis = redisPort
    ? `redis-cli -p ${redisPort}   (its data: ${inProject(".data/redis")})`
    : "the one of REDIS_URL";
  console.log(`
Sluice is ready after ${took}.

  Console  ${address}${firstAdmin ? `\n  Sign in  as ${firstAdmin}` : ""}
  Redis    ${redis}
  Try      npm run sluice -- block add 203.0.113.9 --reason "scans for logins"

Ctrl-C stops it.`);
}

process.chdir(root);
await main(up);
