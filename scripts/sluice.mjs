// `npm run sluice -- …`: the command line on the instance that `npm run up` runs. Prints nothing of its own on stdout.
import { ensureLib } from "./build-lib.mjs";
import { runInForeground } from "./children.mjs";
import { readInstance } from "./data-folder.mjs";
import { inProject } from "./project.mjs";
import { tell } from "./stop.mjs";

try {
  await ensureLib();
  const args = [inProject("dist/cli/main.js"), ...process.argv.slice(2)];
  // Variables of the environment override those of the instance.
  process.exitCode = await runInForeground(process.execPath, args, { ...readInstance(), ...process.env });
} catch (error) {
  process.exitCode = tell(error);
}
