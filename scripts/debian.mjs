import { existsSync, rmSync, writeFileSync } from "node:fs";
import { run } from "./children.mjs";
import { findProgram } from "./find-program.mjs";

const policyFile = "/usr/sbin/policy-rc.d";

/** Whether packages can be installed here without a password. */
export function canInstall() {
  return process.getuid?.() === 0 && findProgram("apt-get") !== undefined;
}

/** Installs Debian packages without starting their services: Sluice starts its own private ones.
 * @param {string[]} packages
 */
export async function installPackages(...packages) {
  const hasPolicy = existsSync(policyFile);
  if (!hasPolicy) writeFileSync(policyFile, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    await apt("update", "-q");
    await apt("install", "-y", "-q", "--no-install-recommends", ...packages);
  } finally {
    if (!hasPolicy) rmSync(policyFile, { force: true });
  }
}

/** @param {string[]} args */
async function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  await run("apt-get", ["-o", "DPkg::Lock::Timeout=300", ...args], { env });
}
