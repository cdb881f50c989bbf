import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { chooseFreePort, isTaken } from "./ports.mjs";

/** @type {import("node:net").Server[]} */
const servers = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** @param {string} host @returns {Promise<number>} */
function listenOn(host) {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    servers.push(server);
    server.listen(0, host, () => {
      const address = server.address();
      if (address !== null && typeof address === "object") resolve(address.port);
    });
  });
}

test.each(["127.0.0.1", "0.0.0.0", "::"])("a port is taken while a program listens on %s", async (host) => {
  const port = await listenOn(host);
  expect(await isTaken(port)).toBe(true);
});

test("a chosen port is free, and never the default port of Redis", async () => {
  const port = await chooseFreePort();
  expect(port).not.toBe(6379);
  expect(await isTaken(port)).toBe(false);
});
