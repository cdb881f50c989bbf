// Node of a fleet with two versions: node mixed-fleet-node.mjs <folder with the package installed> <redis> <app>.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * What both versions say of a request.
 * @typedef {object} Decision
 * @property {"pass" | "safelisted" | "blocked" | "throttled"} outcome
 * @property {number} status
 * @property {string | null} rule
 * @property {number | null} limit
 * @property {number | null} remaining
 * @property {number | null} retryAfterSeconds
 * @property {readonly string[]} shadowed
 * @property {string | null} trouble
 * @property {Readonly<Record<string, string>>} headers
 */

const [folder = "", redis = "", app = ""] = process.argv.slice(2);
const { createGuard } = await import(pathToFileURL(createRequire(`${folder}/`).resolve("sluice")).href);
const guard = createGuard({ redis, app, log: (/** @type {string} */ line) => process.send?.({ log: line }) });

process.on("disconnect", () => process.exit(1));
process.on("message", async (/** @type {{ n: number, request: object } | "close"} */ message) => {
  if (message !== "close") {
    const { n, request } = message;
    process.send?.({ n, decision: decisionOf(await guard.check(request)) });
    return;
  }
  await guard.close();
  process.send?.({ isClosed: true });
});
await guard.ready();
process.send?.({ isReady: true });

/** @param {any} verdict of either version @returns {Decision} */
function decisionOf({
  outcome,
  status,
  rule,
  limit,
  remaining,
  retryAfterSeconds,
  shadowed,
  trouble,
  headers,
}) {
  return {
    ...{ outcome, status, rule: rule ?? null, limit: limit ?? null, remaining: remaining ?? null },
    ...{ retryAfterSeconds: retryAfterSeconds ?? null, shadowed, trouble: trouble ?? null },
    headers: { ...headers },
  };
}
