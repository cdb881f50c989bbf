import { cpSync, existsSync, rmSync } from "node:fs";
import { ensureLib } from "./build-lib.mjs";
import { run } from "./children.mjs";
import { contentStamp, unlessStamped } from "./content-stamp.mjs";
import { embedLua } from "./embed-lua.mjs";
import { inProject, installed, isCommand, root } from "./project.mjs";
import { alreadyThere, step } from "./steps.mjs";
import { tell } from "./stop.mjs";

export const standalone = inProject(".next/standalone");

const sources = [
  ...["app", "components", "lib", "lua", "public", "proxy.ts", "instrumentation.ts"],
  ...["next.config.mjs", "postcss.config.mjs", "tsconfig.json", "package.json", "package-lock.json"],
];

/** Builds the library and the console unless they are built from the same sources. */
export async function ensureBuilt() {
  await step("build", async (say) => {
    embedLua();
    const isLibNew = await ensureLib();
    const stamp = contentStamp(root, sources);
    const isAppNew = await unlessStamped(inProject(".next/standalone/.stamp"), stamp, () => {
      say("next build");
      return buildApp();
    });
    return isLibNew || isAppNew ? undefined : alreadyThere();
  });
}

/** Builds only the library, which the demo fleet and the command line run on. */
export async function ensureLibraryBuilt() {
  await step("library", async () => {
    embedLua();
    return (await ensureLib()) ? undefined : alreadyThere();
  });
}

/** Removes types of routes that development mode left: those of a page that is gone would fail the type check. */
export function removeDevTypes() {
  rmSync(inProject(".next/dev/types"), { recursive: true, force: true });
}

async function buildApp() {
  removeDevTypes();
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  await run(installed("next"), ["build"], { cwd: root, env });
  // The standalone folder of Next holds only code. Files for browsers are copied beside it.
  cpSync(inProject(".next/static"), `${standalone}/.next/static`, { recursive: true });
  if (existsSync(inProject("public")))
    cpSync(inProject("public"), `${standalone}/public`, { recursive: true });
}

if (isCommand(import.meta.url)) {
  await ensureBuilt().catch((error) => {
    process.exitCode = tell(error);
  });
}
