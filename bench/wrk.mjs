import { fileURLToPath } from "node:url";
import { run } from "../scripts/children.mjs";
import { canInstall, installPackages } from "../scripts/debian.mjs";
import { findProgram } from "../scripts/find-program.mjs";

const script = fileURLToPath(new URL("clients.lua", import.meta.url));

/**
 * @typedef {{ network: string, count: number }} Clients in whose name requests come, behind a trusted proxy
 * @typedef {{ connections: number, seconds: number, first: number }} Manner
 * @typedef {object} Told
 * @property {number} requests
 * @property {number} denied
 * @property {number} late answered after more than two seconds
 * @property {number} broken not answered
 * @property {number} weighed answered by what is counted
 * @property {number} micros
 */

/** The load generator's path, or nothing where it cannot be had. */
export async function ensureWrk() {
  if (!findProgram("wrk") && canInstall()) await installPackages("wrk");
  return findProgram("wrk");
}

/**
 * As many requests as a server answers to connections that stay open.
 * @param {string} wrk @param {string} url @param {Clients} clients @param {Manner} manner @returns {Promise<Told>}
 */
export async function load(wrk, url, { network, count }, { connections, seconds, first }) {
  const manner = ["--threads", "1", "--connections", String(connections), "--duration", `${seconds}s`];
  const said = await run(wrk, [
    ...manner,
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
