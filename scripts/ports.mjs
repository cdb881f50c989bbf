import { randomInt } from "node:crypto";
import { connect, createServer } from "node:net";
import { Stop } from "./stop.mjs";

/** Whether a program listens on this port of the loopback addresses, or this process is not allowed to.
 * @param {number} port
 */
export async function isTaken(port) {
  const answers = await Promise.all([connects(port, "127.0.0.1"), connects(port, "::1")]);
  return answers.includes(true) || !(await canListen(port));
}

/** A free port below the range for outgoing connections, so that it stays free. */
export async function chooseFreePort() {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(20_000, 30_000);
    if (!(await isTaken(port))) return port;
  }
  throw new Stop("No free port was found between 20000 and 30000 on this machine.");
}

/** @param {number} port @param {string} host @returns {Promise<boolean>} */
function connects(port, host) {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1000 });
    /** @param {boolean} answer */
    const settle = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("connect", () => settle(true));
    socket.on("timeout", () => settle(false));
    socket.on("error", () => settle(false));
  });
}

/** @param {number} port @returns {Promise<boolean>} */
function canListen(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
