import { chmodSync, existsSync, rmSync } from "node:fs";
import { run } from "./children.mjs";
import { contentStamp, unlessStamped } from "./content-stamp.mjs";
import { embedLua } from "./embed-lua.mjs";
import { inProject, installed, isCommand, root } from "./project.mjs";
import { Stop, tell } from "./stop.mjs";

const sources = ["lib", "lua", "tsconfig.json", "package-lock.json"];

/** Builds the library into an empty dist/. */
export async function buildLib() {
  if (!existsSync(installed("tsc"))) {
    throw new Stop("The packages are not installed. Run: npm ci");
  }
  embedLua();
  rmSync(inProject("dist"), { recursive: true, force: true });
  await run(installed("tsc"), ["-p", "lib/tsconfig.json"], { cwd: root });
  chmodSync(inProject("dist/cli/main.js"), 0o755);
}

/** Builds dist/ if its sources have changed. Returns whether it was built. */
export function ensureLib() {
  return unlessStamped(inProject("dist/.stamp"), contentStamp(root, sources), buildLib);
}

if (isCommand(import.meta.url)) {
  await buildLib().catch((error) => {
    process.exitCode = tell(error);
  });
}
