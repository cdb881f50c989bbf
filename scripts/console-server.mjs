import { setTimeout as wait } from "node:timers/promises";
import { standalone } from "./build-app.mjs";
import { firstDeath, start } from "./children.mjs";
import { logFolder } from "./data-folder.mjs";
import { step } from "./steps.mjs";
import { Stop } from "./stop.mjs";

/** @typedef {import("./children.mjs").Child} Child */

const startLimitMs = 60_000;
const host = process.env.SLUICE_HOST || "127.0.0.1";
const endWithParent = new URL("./end-with-parent.mjs", import.meta.url).href;

/** What the server says of an admin that it has just made (lib/auth/first-admin.ts), to the end of the line. */
const firstAdminLine = /^sluice: first admin (.+)\n?/m;

/** Starts the built console and waits until it is healthy. Also tells how to sign in, if nobody could before.
 * @param {import("./data-folder.mjs").Instance} instance
 */
export async function startServer(instance) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, ...instance, NODE_ENV: "production", HOSTNAME: host };
  /** @type {string | undefined} */
  let firstAdmin;
  const server = start(
    "web-server",
    process.execPath,
    ["--import", endWithParent, `${standalone}/server.js`],
    {
      env,
      logFolder,
      withChannel: true,
      // Said once, in the greeting: no log may keep a password.
      forLog: (text) => text.replace(/(first admin \S+, password) \S+/, "$1 (not kept)"),
      onText: (text, isError) => {
        firstAdmin ??= firstAdminLine.exec(text)?.[1];
        if (isError) process.stderr.write(text.replace(firstAdminLine, ""));
      },
    },
  );
  await step("web server", () => untilHealthy(server, instance.PORT));
  return { server, firstAdmin };
}

/** Where a server is asked that listens on this host. @param {string} listening */
function reachable(listening) {
  if (listening === "0.0.0.0" || listening === "::") return "127.0.0.1";
  return listening.includes(":") ? `[${listening}]` : listening;
}

/** @param {Child} server @param {string} port */
async function untilHealthy(server, port) {
  const healthUrl = `http://${reachable(host)}:${port}/api/health`;
  const death = firstDeath([server]);
  const deadline = performance.now() + startLimitMs;
  let lastAnswer = "nothing";
  while (performance.now() < deadline) {
    const answer = await Promise.race([
      death,
      fetch(healthUrl, { signal: AbortSignal.timeout(5000) }).catch(() => undefined),
    ]);
    if (answer instanceof Error) throw answer;
    if (answer?.ok) return;
    if (answer) lastAnswer = `${answer.status} ${await answer.text()}`;
    await wait(50);
  }
  throw new Stop(`The server does not become healthy: ${healthUrl} answers ${lastAnswer}\n${server.tail()}`);
}
