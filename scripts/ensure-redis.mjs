import { spawnSync } from "node:child_process";
import { canInstall, installPackages } from "./debian.mjs";
import { findProgram } from "./find-program.mjs";
import { alreadyThere, step } from "./steps.mjs";
import { Stop } from "./stop.mjs";

// First version with CLIENT TRACKINGINFO, by which a replica detects lost invalidations.
const oldestVersion = [6, 2];

const howToInstall = `Sluice needs redis-server (or valkey-server), ${oldestVersion.join(".")} or newer. Install it and try again:
  macOS           brew install redis
  Debian, Ubuntu  sudo apt-get install redis-server
  Fedora          sudo dnf install valkey
Only npm run up can use a Redis on another machine: set REDIS_URL.`;

/** Path of a Redis server program, which is installed first if necessary and possible. */
export async function ensureRedis() {
  let program = findProgram("redis-server", "valkey-server");
  await step("redis-server", async (say) => {
    if (program) return alreadyThere(versionOf(program));
    if (!canInstall()) throw new Stop(howToInstall);
    say("apt-get install redis-server");
    await installPackages("redis-server");
    program = findProgram("redis-server");
    return program && `installed by apt: ${versionOf(program)}`;
  });
  if (!program) throw new Stop(howToInstall);
  return program;
}

/** @param {string} program */
function versionOf(program) {
  const said = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout ?? "";
  const version = /v=(\d+)\.(\d+)\.(\d+)/.exec(said);
  if (!version) throw new Stop(`${program} --version has an unexpected answer: ${said.trim() || "nothing"}`);
  const [major = 0, minor = 0] = version.slice(1).map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestVersion;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (isOld) throw new Stop(`${program} is version ${major}.${minor}.\n${howToInstall}`);
  return `${major}.${minor}.${version[3]}`;
}
