import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { start } from "./children.mjs";
import { demoEdgeFolder, logFolder } from "./data-folder.mjs";
import { findProgram } from "./find-program.mjs";
import { openPrivately, socketOf } from "./private-redis.mjs";
import { inProject } from "./project.mjs";
import { step } from "./steps.mjs";

const startLimitMs = 5_000;

/**
 * Starts HAProxy with deploy/haproxy.cfg as the edge of the demonstration, if it is installed. Sluice syncs its table like any
 * other. The simulated requests do not pass it: it listens on a socket that no client uses. Returns its setting, which is empty
 * without HAProxy, because the demonstration must not sync an edge of the environment.
 * @returns {Promise<{ SLUICE_EDGE: string }>}
 */
export async function startDemoEdge() {
  const program = findProgram("haproxy");
  let setting = "";
  if (program)
    await step("edge", async () => {
      const edge = await startHaproxy(program);
      setting = edge.isListening ? `haproxy://${edge.socket}?map=${edge.map}` : "";
      return setting ? "HAProxy" : `left out: HAProxy did not start, see ${join(logFolder, "demo-edge.log")}`;
    });
  return { SLUICE_EDGE: setting };
}

/** @param {string} program */
async function startHaproxy(program) {
  openPrivately(demoEdgeFolder);
  const socket = socketOf(demoEdgeFolder, "admin.sock");
  const map = join(demoEdgeFolder, "sluice.map");
  for (const name of ["sluice.map", "sluice-429.http"])
    copyFileSync(inProject("deploy/haproxy", name), join(demoEdgeFolder, name));
  const file = join(demoEdgeFolder, "haproxy.cfg");
  writeFileSync(file, configuration(socket));
  rmSync(socket, { force: true });
  const child = start(
    "demo-edge",
    process.execPath,
    [inProject("scripts/program-with-parent.mjs"), program, "-db", "-f", file],
    {
      logFolder,
      withChannel: true,
    },
  );
  const isEnded = child.exited.then(() => true);
  const deadline = performance.now() + startLimitMs;
  while (!existsSync(socket) && performance.now() < deadline)
    if (await Promise.race([isEnded, wait(50, false)])) break;
  return { socket, map, isListening: existsSync(socket) };
}

/** The shipped file with other paths. @param {string} socket */
function configuration(socket) {
  const site = socketOf(demoEdgeFolder, "site.sock");
  /** @type {[from: string, to: string][]} */
  const changes = [
    ["/etc/haproxy/", `${demoEdgeFolder}/`],
    ["/run/haproxy/admin.sock mode 660 group haproxy", `${socket} mode 600`],
    ["  user haproxy\n  group haproxy\n", ""],
    ["bind :80\n", `bind unix@${site} mode 600\n`],
  ];
  const shipped = readFileSync(inProject("deploy/haproxy.cfg"), "utf8");
  return changes.reduce((text, [from, to]) => text.replaceAll(from, to), shipped);
}
