// `npm run sluice -- …`: the command line on the instance that `npm run up` runs. Prints nothing of its own on stdout.
import { spawn } from "node:child_process";
import { ensureLib } from "./build-lib.mjs";
import { readInstance } from "./data-folder.mjs";
import { inProject } from "./project.mjs";
import { tell } from "./stop.mjs";

try {
  await ensureLib();
  // What the person has set wins.
  const env = { ...readInstance(), ...process.env };
  const child = spawn(process.execPath, [inProject("dist/cli/main.js"), ...process.argv.slice(2)], {
    stdio: "inherit",
    env,
  });
  // The terminal sends its Ctrl-C to both; the command line answers it, and its end is ours.
  process.on("SIGINT", () => {});
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"]))
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
} catch (error) {
  process.exitCode = tell(error);
}
