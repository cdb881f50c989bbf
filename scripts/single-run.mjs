import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { Stop } from "./stop.mjs";

// Relative, because the path of a socket is limited to about a hundred bytes. Unlike a pid file, a socket cannot be stale:
// a process that listens on it is running.
const socketPath = ".data/up.sock";

/** Makes this the only `up` of the folder. Throws with the address of another one. Call it from the project's folder. */
export async function becomeOnlyRun() {
  let status = "is already starting in this folder";
  const server = createServer((socket) => socket.on("error", () => {}).end(status));
  if (!(await listen(server))) {
    const otherStatus = await askOther();
    if (otherStatus) throw new Stop(`Sluice ${otherStatus}.`);
    rmSync(socketPath, { force: true });
    if (!(await listen(server)))
      throw new Stop(`Cannot listen on ${socketPath}. Remove that file and try again.`);
  }
  server.unref();
  return {
    /** @param {string} address */
    isServing(address) {
      status = `is already running at ${address}`;
    },
    end: () => server.close(),
  };
}

/** @param {import("node:net").Server} server @returns {Promise<boolean>} */
function listen(server) {
  return new Promise((resolve, reject) => {
    server.removeAllListeners("error").on("error", (error) => {
      if ("code" in error && error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(socketPath, () => resolve(true));
  });
}

/** Status of the run that listens on the socket. Empty if there is none. @returns {Promise<string>} */
function askOther() {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(socketPath).setEncoding("utf8");
    socket.setTimeout(2000, () => socket.destroy());
    socket.on("data", (text) => {
      said += text;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
  });
}
