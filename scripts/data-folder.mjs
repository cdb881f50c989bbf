import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "./project.mjs";
import { Stop } from "./stop.mjs";

/**
 * Files that `up` keeps in .data/: the Redis data, the secret, logs and, while it runs, the address of the instance.
 * @typedef {{ REDIS_URL: string; NEXTAUTH_SECRET: string; NEXTAUTH_URL: string; PORT: string; SLUICE_DEMO?: string; SLUICE_EDGE?: string }} Instance
 */

export const dataFolder = inProject(".data");
export const redisFolder = join(dataFolder, "redis");
/** The demonstration's own Redis: its entries and users never mix with those of `npm run up`. */
export const demoRedisFolder = join(dataFolder, "demo", "redis");
export const demoEdgeFolder = join(dataFolder, "demo", "edge");
export const logFolder = join(dataFolder, "log");
const secretFile = join(dataFolder, "secret");
const instanceFile = join(dataFolder, "env.json");

export function openDataFolder() {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    accessSync(dataFolder, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Stop(`Sluice keeps its data in ${dataFolder}, but cannot write there: ${why}`);
  }
}

/** Secret of this installation, created by its first start. */
export function installationSecret() {
  if (!existsSync(secretFile)) writePrivately(secretFile, randomBytes(32).toString("base64url"));
  return readFileSync(secretFile, "utf8").trim();
}

/** Stores the running instance for the command line.
 * @param {Instance} instance
 */
export function recordInstance(instance) {
  writePrivately(instanceFile, `${JSON.stringify(instance, null, 2)}\n`);
}

export function forgetInstance() {
  rmSync(instanceFile, { force: true });
}

/** Address of the running instance. Empty if none is running. @returns {Partial<Instance>} */
export function readInstance() {
  return existsSync(instanceFile) ? JSON.parse(readFileSync(instanceFile, "utf8")) : {};
}

/** @param {string} path @param {string} text */
function writePrivately(path, text) {
  // An existing file would keep its old mode.
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600 });
}
