import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, freePort } from "../redis/testing.ts";
import { readStamp } from "./peer.ts";
import { stampPeers } from "./stamp.ts";

const seen: (string | undefined)[] = [];
const targets: (string | undefined)[] = [];
const note = ({ headers }: IncomingMessage) => {
  const { peer, target } = readStamp(new Headers({ "x-sluice-peer": String(headers["x-sluice-peer"]) }));
  seen.push(peer);
  targets.push(target);
};

const server = createServer((incoming, response) => {
  note(incoming);
  response.end();
});
server.on("upgrade", (incoming: IncomingMessage, socket) => {
  note(incoming);
  socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n");
});
let port: number;

beforeAll(async () => {
  port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => void server.close());

const forged = { "X-Sluice-Peer": ["203.0.113.9", "203.0.113.10"] };

async function ask(
  where: object,
  headers: Record<string, string | string[]> = forged,
): Promise<string | undefined> {
  const asked = request({ ...where, headers });
  asked.end();
  const [response] = await once(asked, "response");
  response.resume();
  return seen.at(-1);
}

it("takes no peer from a header, and the socket's over any header once it stamps", async () => {
  const here = { port, host: "127.0.0.1" };
  expect(await ask(here)).toBeUndefined();
  stampPeers();
  stampPeers();
  expect(await ask(here)).toBe("127.0.0.1");
  expect(await ask(here, { ...forged, connection: "upgrade", upgrade: "websocket" })).toBe("127.0.0.1");
  expect(await ask(here, { ...forged, expect: "100-continue" })).toBe("127.0.0.1");
});

it("knows a client that resets its connection", async () => {
  const before = seen.length;
  for (let i = 0; i < 50; i++) {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n", () => socket.resetAndDestroy());
    await once(socket, "close");
  }
  await ask({ port, host: "127.0.0.1" });
  await eventually(() => expect(seen.length).toBeGreaterThan(before));
  expect(new Set(seen.slice(before))).not.toContain(undefined);
  for (const peer of seen.slice(before)) expect(["127.0.0.1", "gone"]).toContain(peer);
});

it("counts a Unix socket as this machine, and keeps what was asked for as it was sent", async () => {
  const socketPath = join(tmpdir(), `sluice-stamp-${process.pid}.sock`);
  const local = createServer((incoming, response) => {
    note(incoming);
    response.end();
  }).listen(socketPath);
  await once(local, "listening");
  expect(await ask({ socketPath, path: "/a//b/../c%41?q=1+2" })).toBe("127.0.0.1");
  expect(targets.at(-1)).toBe("/a//b/../c%41?q=1+2");
  local.close();
});
