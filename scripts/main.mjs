import { killAll, stopAll } from "./children.mjs";
import { tell } from "./stop.mjs";

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
// npm forwards the Ctrl-C that the terminal has already sent: the forwarded one does not count as a second.
const echoMs = 1000;

/** Clean-up functions for the end. @type {(() => void)[]} */
const tidyings = [];

/** @param {() => void} tidy */
export const atEnd = (tidy) => tidyings.push(tidy);

/** Runs a command to its end or to the first signal, and stops all children.
 * @param {() => Promise<number>} work resolves to the exit code
 */
export async function main(work) {
  const worked = work().catch((error) => () => tell(error));
  const outcome = await Promise.race([worked, untilSignal()]);
  const exitCode = typeof outcome === "function" ? outcome() : outcome;
  await stopAll();
  for (const tidy of tidyings) tidy();
  process.exit(exitCode);
}

/** Exit code for the first signal. A later one kills the children. @returns {Promise<number>} */
function untilSignal() {
  return new Promise((resolve) => {
    let askedAt = 0;
    for (const [signal, code] of Object.entries(exitCodes)) {
      process.on(signal, () => {
        if (askedAt && performance.now() - askedAt > echoMs) return killAll();
        if (askedAt) return;
        askedAt = performance.now();
        console.error("\nStopping.");
        resolve(code);
      });
    }
  });
}
