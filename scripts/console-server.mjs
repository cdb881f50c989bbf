import { setTimeout as wait } from "node:timers/promises";
import { standalone } from "./build-app.mjs";
import { firstDeath, start } from "./children.mjs";
import { logFolder } from "./data-folder.mjs";
import { inProject } from "./project.mjs";
import { step } from "./steps.mjs";
import { Stop } from "./stop.mjs";

/** @typedef {import("./children.mjs").Child} Child */

const host = process.env.SLUICE_HOST || "127.0.0.1";
const endWithParent = new URL("./end-with-parent.mjs", import.meta.url).href;

/** The server's log line about a new first admin (lib/manage/users/first-admin.ts). */
const firstAdminLine = /^sluice: first admin (.+)\n?/m;

/** How Node runs a console, so that it ends with this process.
 * @typedef {object} ConsoleKind
 * @property {"production" | "development"} mode
 * @property {(port: string) => string[]} words
 * @property {number} startLimitMs until it must be healthy
 * @property {number} answerLimitMs until a question for its health is repeated
 */

/** The console that `next build` made. @type {ConsoleKind} */
export const builtConsole = {
  mode: "production",
  words: () => ["--import", endWithParent, `${standalone}/server.js`],
  startLimitMs: 60_000,
  answerLimitMs: 5_000,
};

/**
 * Next in development mode, on the sources. It compiles before its first answer. It writes to .next/dev alone, and leaves a build as it
 * is.
 * @type {ConsoleKind}
 */
export const devConsole = {
  mode: "development",
  words: (port) => [
    ...[
      inProject("scripts/program-with-parent.mjs"),
      process.execPath,
      inProject("node_modules/next/dist/bin/next"),
    ],
    ...["dev", "--hostname", host, "--port", port],
  ],
  startLimitMs: 180_000,
  answerLimitMs: 60_000,
};

/** Starts a console and waits until it is healthy. Returns the sign-in of the first admin, if it was created.
 * @param {import("./data-folder.mjs").Instance} instance @param {ConsoleKind} kind
 */
export async function startServer(instance, kind) {
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    ...instance,
    NODE_ENV: kind.mode,
    HOSTNAME: host,
    NEXT_TELEMETRY_DISABLED: "1",
  };
  /** @type {string | undefined} */
  let firstAdmin;
  const server = start("web-server", process.execPath, kind.words(instance.PORT), {
    env,
    logFolder,
    withChannel: true,
    // Printed once, in the greeting: a log must not store a password.
    forLog: (text) => text.replace(/(first admin \S+, password) \S+/, "$1 (not kept)"),
    onText: (text, isError) => {
      firstAdmin ??= firstAdminLine.exec(text)?.[1];
      if (isError) process.stderr.write(text.replace(firstAdminLine, ""));
    },
  });
  await step("web server", () => untilHealthy(server, instance.PORT, kind));
  return { server, firstAdmin };
}

/** Where a server is asked that listens on this host. @param {string} listening */
function reachable(listening) {
  if (listening === "0.0.0.0" || listening === "::") return "127.0.0.1";
  return listening.includes(":") ? `[${listening}]` : listening;
}

/** @param {Child} server @param {string} port @param {ConsoleKind} kind */
async function untilHealthy(server, port, { startLimitMs, answerLimitMs }) {
  const healthUrl = `http://${reachable(host)}:${port}/api/health`;
  const death = firstDeath([server]);
  const deadline = performance.now() + startLimitMs;
  let lastAnswer = "nothing";
  while (performance.now() < deadline) {
    const answer = await Promise.race([
      death,
      fetch(healthUrl, { signal: AbortSignal.timeout(answerLimitMs) }).catch(() => undefined),
    ]);
    if (answer instanceof Error) throw answer;
    if (answer?.ok) return;
    if (answer) lastAnswer = `${answer.status} ${await answer.text()}`;
    // Next in development mode compiles, fails and prints again with each question.
    await wait(answer ? 500 : 50);
  }
  throw new Stop(`The server is not healthy: ${healthUrl} answers ${lastAnswer}\n${server.tail()}`);
}
