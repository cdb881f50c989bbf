// `npm run up`: from a clean clone to a running Sluice. `npm run demo` is the same on data of its own, with a fleet under attack.
// `npm run dev` is the demonstration, served by Next in development mode.
import { ensureBuilt, ensureLibraryBuilt } from "./build-app.mjs";
import { firstDeath } from "./children.mjs";
import { builtConsole, devConsole, startServer } from "./console-server.mjs";
import {
  demoRedisFolder,
  forgetInstance,
  installationSecret,
  logFolder,
  openDataFolder,
  recordInstance,
  redisFolder,
} from "./data-folder.mjs";
import { startDemoEdge } from "./demo-edge.mjs";
import { seedDemo, startFleet } from "./demo-fleet.mjs";
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

const isDev = process.argv.includes("--dev");
const isDemo = isDev || process.argv.includes("--demo");
const command = `npm run ${isDev ? "dev" : isDemo ? "demo" : "up"}`;

/** Runs until a child ends or a step fails. A signal ends it, too. @returns {Promise<never>} */
async function up() {
  const startedAt = performance.now();
  ensureNode();
  const port = parsePort(process.env.PORT || "3000");
  if (isDemo && (process.env.REDIS_URL || process.env.COUNTERS_REDIS_URL)) throw new Stop(onlyItsOwnRedis);
  openDataFolder();
  const run = await becomeOnlyRun();
  atEnd(run.end);
  if (await isTaken(port)) throw new Stop(portIsTaken(port));
  await ensurePackages();
  const program = process.env.REDIS_URL ? undefined : await ensureRedis();
  await (isDev ? ensureLibraryBuilt() : ensureBuilt());
  const redis = await redisFor(program);
  const address = process.env.NEXTAUTH_URL || `http://localhost:${port}`;
  const instance = {
    REDIS_URL: redis.url,
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET || installationSecret(),
    NEXTAUTH_URL: address,
    PORT: String(port),
    ...(isDemo && { SLUICE_DEMO: "1", ...(await startDemoEdge()) }),
  };
  const { server, firstAdmin } = await startServer(instance, isDev ? devConsole : builtConsole);
  recordInstance(instance);
  atEnd(forgetInstance);
  if (isDemo) await seedDemo(instance);
  const fleet = isDemo ? await startFleet(instance) : [];
  run.isServing(address);
  greet({ address, firstAdmin, redis, took: secondsSince(startedAt) });
  throw await firstDeath([server, ...fleet, ...(redis.child ? [redis.child] : [])]);
}

const onlyItsOwnRedis = `The demonstration writes entries, users and a policy, so ${command} uses only a Redis of its own. Unset REDIS_URL and COUNTERS_REDIS_URL, or run npm run up.`;

/** @param {string} text */
function parsePort(text) {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Stop(
    `PORT is "${text}", but a port is a number from 1 to 65535. For example: PORT=3001 ${command}`,
  );
}

/** @param {number} port */
function portIsTaken(port) {
  const another = port === 65_535 ? 3000 : port + 1;
  return `Port ${port} is taken by another program. Choose another: PORT=${another} ${command}`;
}

/** The Redis of REDIS_URL, or a private one. The demonstration has one that begins empty at each start.
 * @param {string | undefined} program
 * @returns {Promise<{ url: string; socket?: string; child?: Child }>}
 */
async function redisFor(program) {
  if (!program) return { url: process.env.REDIS_URL ?? "" };
  const folder = isDemo ? demoRedisFolder : redisFolder;
  /** @type {Awaited<ReturnType<typeof startPrivateRedis>> | undefined} */
  let redis;
  await step("Redis", async (say) => {
    redis = await startPrivateRedis({ program, folder, logFolder, isEmpty: isDemo, say });
    return `a socket of this user alone, ${isDemo ? "empty" : "data in .data/redis"}`;
  });
  if (!redis) throw new Error("a step that succeeded left no Redis");
  return redis;
}

/** A path, quoted for a shell. @param {string} path */
const quoted = (path) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** @param {{ address: string; firstAdmin: string | undefined; redis: { socket?: string }; took: string }} facts */
function greet({ address, firstAdmin, redis: { socket }, took }) {
  const data = isDemo ? "demonstration data, new at each start" : `its data: ${inProject(".data/redis")}`;
  const redis = socket ? `redis-cli -s ${quoted(socket)}   (${data})` : "the one of REDIS_URL";
  console.log(`
Sluice is ready after ${took}.

  Console  ${address}${firstAdmin ? `\n  Sign in  as ${firstAdmin}` : ""}
  Redis    ${redis}
  Try      npm run sluice -- block add 203.0.113.9 --reason "scans for logins"

${isDev ? "Edits of app/, components/ and lib/ show in the browser at once. " : ""}Ctrl-C stops it.`);
}

process.chdir(root);
await main(up);
