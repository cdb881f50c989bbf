// Embedded data on networks: load, memory, look-ups.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const path = fileURLToPath(new URL("networks-node.mjs", import.meta.url));
/** The suite fails above these. */
const most = { megabytes: 60, micros: 5 };

/**
 * Data on networks in one console.
 * @returns {Promise<{ rows: import("./run.mjs").Row[], figures: Record<string, string> }>}
 */
export async function measureNetworks() {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", path]);
  /** @type {{ seconds: number, turnMs: number, micros: number, megabytes: number }} */
  const { seconds, turnMs, micros, megabytes } = JSON.parse(stdout);
  if (megabytes > most.megabytes) throw new Error(`the data on networks take ${megabytes.toFixed(1)} MB`);
  if (micros > most.micros) throw new Error(`a look-up of a network takes ${micros.toFixed(2)} µs`);
  const figures = {
    "load, s": seconds.toFixed(2),
    "longest turn of the event loop while loading, ms": turnMs.toFixed(1),
    "heap and buffers, MB": megabytes.toFixed(1),
    "look-up of a random address, µs": micros.toFixed(2),
  };
  return { rows: [], figures };
}
