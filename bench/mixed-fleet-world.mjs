import { execFile } from "node:child_process";
import { getPriority, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { ensureBuilt } from "../scripts/build-app.mjs";
import { startBenchRedis } from "./bench-redis.mjs";
import { startNode } from "./mixed-fleet-nodes.mjs";
import { windowSeconds } from "./mixed-fleet-policy.mjs";
import { installed, packCurrent, packRevision } from "./packed-sluice.mjs";
import { consoleSecret, startConsole } from "./watched.mjs";

/** @typedef {import("./mixed-fleet-nodes.mjs").Node} Node */
/** @typedef {import("./mixed-fleet-nodes.mjs").Request} Request */
/** @typedef {import("./mixed-fleet-node.mjs").Decision} Decision */
/** @typedef {{ outcome: Decision["outcome"], rule?: string, shadowed?: string[] }} Expected */
/** @typedef {Awaited<ReturnType<typeof openWorld>>} World */

const exec = promisify(execFile);
const statuses = { pass: 200, safelisted: 200, blocked: 403, throttled: 429 };
/** What a node logs when a busy machine makes answers late, in the words of either version. */
const lateWords =
  /counters (are unavailable.*not answer in time|answer again|cannot be read \(late|can be read again)/i;

/**
 * Nodes of two versions on one Redis, with a console and the command line of this code.
 * @param {string} older a revision, or a tarball of its package
 * @param {(difference: string) => void} report
 */
export async function openWorld(older, report) {
  const sent = {
    ...{ crowd: 0, customers: 0, sequences: 0, probes: 0, commands: 0, reads: 0 },
    ...{ requests: 0, late: 0, lateLines: 0 },
  };
  /** Outcomes by app, as they were answered. @type {Map<string, number>} */
  const answered = new Map();

  console.log("… packages");
  const oldFolder = installed(older.endsWith(".tgz") ? older : packRevision(older));
  const newFolder = installed(packCurrent());
  await ensureBuilt();
  console.log("… nodes and console");
  const server = await startBenchRedis();
  const redis = new Redis(server.url);
  const settings = {
    redis: server.url,
    onError: (/** @type {string} */ text) => (lateWords.test(text) ? sent.lateLines++ : report(text)),
  };
  const nodes = await Promise.all([
    startNode({ ...settings, name: "old-1", app: "shop", folder: oldFolder }),
    startNode({ ...settings, name: "new-1", app: "shop", folder: newFolder }),
    startNode({ ...settings, name: "old-2", app: "blog", folder: oldFolder }),
    startNode({ ...settings, name: "new-2", app: "blog", folder: newFolder }),
  ]);
  const website = await startConsole(server.url, (text) => {
    if (!text.startsWith("sluice: first admin")) report(`the console printed: ${text}`);
  });

  /** @param {number} n @returns {Node} */
  const nodeAt = (n) => /** @type {Node} */ (nodes[n % nodes.length]);

  /** @param {Node} node @param {Request} request */
  async function ask(node, request) {
    const decision = await node.ask(request);
    sent.requests++;
    const name = `${node.app} ${decision.outcome}`;
    answered.set(name, (answered.get(name) ?? 0) + 1);
    if (decision.trouble === "counters-late") sent.late++;
    else if (decision.trouble) report(`${node.name} is unsure about ${request.ip}: ${decision.trouble}`);
    return decision;
  }

  /** Asks all nodes at once. @param {Request} request */
  async function askAll(request) {
    sent.probes += nodes.length;
    return Promise.all(nodes.map((node) => ask(node, request)));
  }

  /** What nodes say otherwise. @param {Request} request @param {Expected} expected */
  async function probe(request, { outcome, rule, shadowed = [] }) {
    return (await askAll(request)).flatMap((decision, i) =>
      decision.outcome === outcome &&
      decision.rule === (rule ?? null) &&
      decision.status === statuses[outcome] &&
      decision.shadowed.join() === shadowed.join()
        ? []
        : [
            `${nodeAt(i).name} says ${JSON.stringify(decision)} of ${JSON.stringify(request)}, not ${outcome} ${rule}`,
          ],
    );
  }

  /** @param {Request} request @param {Expected} expected */
  async function expectAll(request, expected) {
    for (const text of await probe(request, expected)) report(text);
  }

  /** Waits until all nodes say so. @param {Request} request @param {Expected} expected @param {number} withinMs */
  async function awaitAll(request, expected, withinMs) {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const found = await probe(request, expected);
      if (found.length === 0) return;
      if (performance.now() > deadline) {
        for (const text of found) report(`after ${withinMs} ms: ${text}`);
        return;
      }
      await pause(25);
    }
  }

  /** @param {Request} request @param {readonly Expected[]} expected of the nodes in turn */
  async function expectInTurn(request, expected) {
    for (const [i, { outcome, rule = null }] of expected.entries()) {
      const decision = await ask(nodeAt(i), request);
      sent.probes++;
      if (decision.trouble) return;
      if (decision.outcome !== outcome || decision.rule !== rule)
        report(`request ${i} at ${nodeAt(i).name}: ${JSON.stringify(decision)}, not ${outcome} ${rule}`);
    }
  }

  const env = {
    ...process.env,
    ...{ REDIS_URL: server.url, COUNTERS_REDIS_URL: "", NEXTAUTH_SECRET: consoleSecret },
  };
  const command = join(newFolder, "node_modules/sluice/cli/main.js");

  /** Runs the command line of this code. @param {string[]} words @param {{ input?: unknown }} [options] @returns {Promise<any>} */
  async function sluice(words, { input = "" } = {}) {
    sent.commands++;
    const run = exec(process.execPath, [command, ...words, "--json"], { env, maxBuffer: 1e8 });
    // Its start must not make the counters late.
    if (run.child.pid) setPriority(run.child.pid, Math.min(19, getPriority() + 5));
    run.child.stdin?.end(typeof input === "string" ? input : JSON.stringify(input));
    try {
      const { stdout, stderr } = await run;
      if (stderr.trim()) report(`sluice ${words.join(" ")}: ${stderr}`);
      return JSON.parse(stdout);
    } catch (error) {
      const printed = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
      return { failed: true, ...JSON.parse(printed || "{}") };
    }
  }

  /** Runs a command after which all nodes have applied its change. @param {string[]} words @param {{ input?: unknown }} [options] */
  async function change(words, options) {
    const run = () => sluice([...words, "--reason", "mixed"], options);
    let reply = await run();
    // A busy machine may be too late to connect. Nothing is written then.
    for (let i = 0; i < 3 && reply.error?.code === "redis-unavailable"; i++) reply = await run();
    const { applied } = reply;
    if (reply.failed || !applied || applied.lagging.length > 0 || applied.nodes < nodes.length)
      report(`sluice ${words.join(" ")}: ${JSON.stringify(reply)}`);
    return reply;
  }

  return {
    ...{ nodes, nodeAt, redis, website, sent, answered, report },
    ...{ ask, askAll, probe, expectAll, awaitAll, expectInTurn, sluice, change },
    /** Ends all of it. The guards are closed before. */
    async end() {
      await Promise.all(nodes.map((node) => node.kill()));
      await website.stop();
      redis.disconnect();
      await server.stop();
    },
  };
}

/** Time in ms that is left in the shortest windows, but for a moment at each end. */
export function leftInWindow() {
  const passed = Date.now() % (windowSeconds * 1_000);
  return passed < 100 ? 0 : Math.max(0, windowSeconds * 1_000 - 300 - passed);
}

export const windowNow = () => Math.floor(Date.now() / 1_000 / windowSeconds);

/** @param {number} ms */
export async function untilThereIs(ms) {
  while (leftInWindow() < ms) await pause(20);
}
