import { readFileSync } from "node:fs";
import { inProject } from "./project.mjs";
import { Stop } from "./stop.mjs";

/** Throws for a Node that is older than package.json allows. */
export function ensureNode() {
  const { engines } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const [wantedMajor = 0, wantedMinor = 0] = numbersOf(engines.node);
  const [major = 0, minor = 0] = numbersOf(process.version);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new Stop(
    `Sluice needs Node ${wantedMajor}.${wantedMinor} or newer; this is ${process.version}. ` +
      "Install a newer one from https://nodejs.org and try again.",
  );
}

/** @param {string} version */
const numbersOf = (version) => (version.match(/\d+/g) ?? []).map(Number);
