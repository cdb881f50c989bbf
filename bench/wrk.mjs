import { fileURLToPath } from "node:url";
import { run } from "../scripts/children.mjs";
import { canInstall, installPackages } from "../scripts/debian.mjs";
import { findProgram } from "../scripts/find-program.mjs";

const script = fileURLToPath(new URL("clients.lua", import.meta.url));

/**
 * @typedef {{ network: string, count: number }} Clients senders of the requests, behind a trusted proxy
 * @typedef {{ connections: number, seconds: number, first: number }} LoadOptions
 * @typedef {object} LoadCounts
 * @property {number} requests
 * @property {number} denied
 * @property {number} late answers after more than two seconds
 * @property {number} broken requests without an answer
 * @property {number} weighed answers that the counters decided
 * @property {number} micros
 */

/** Path of the load generator. Undefined if it cannot be installed. */
export async function ensureWrk() {
  if (!findProgram("wrk") && canInstall()) await installPackages("wrk");
  return findProgram("wrk");
}

/**
 * Sends requests over open connections as fast as the server answers.
 * @param {string} wrk @param {string} url @param {Clients} clients @param {LoadOptions} options @returns {Promise<LoadCounts>}
 */
export async function load(wrk, url, { network, count }, { connections, seconds, first }) {
  const options = ["--threads", "1", "--connections", String(connections), "--duration", `${seconds}s`];
  const said = await run(wrk, [
    ...options,
    "--script",
    script,
    url,
    "--",
    network,
    String(count),
    String(first),
  ]);
  return JSON.parse(said.trim().split("\n").at(-1) ?? "");
}
