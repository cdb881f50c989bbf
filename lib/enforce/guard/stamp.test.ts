import { once } from "node:events";
import { Agent, createServer, IncomingMessage, request, type Server, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually, freePort } from "../../redis/testing.ts";
import { readStamp, stamp } from "./peer.ts";
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

describe("a Server Action that Next forwards to another page", () => {
  const client = "127.0.0.2";
  const action = { "next-action": "7f00" };
  let app: Server;
  let where: { port: number; host: string; localAddress: string };

  beforeAll(async () => {
    stampPeers();
    // As Next does: a fetch with the headers of the request, and one more.
    app = createServer(async (incoming, response) => {
      note(incoming);
      const { "content-length": _, connection: __, ...headers } = incoming.headers;
      if (incoming.url === "/about") {
        const forwarded = request({ port: where.port, path: "/login", method: "POST" });
        for (const [name, value] of Object.entries(headers)) if (value) forwarded.setHeader(name, value);
        forwarded.setHeader("x-action-forwarded", "1");
        forwarded.end();
        const [answer] = await once(forwarded, "response");
        answer.resume();
      }
      response.end();
    });
    where = { port: await freePort(), host: "127.0.0.1", localAddress: client };
    app.listen(where.port, "127.0.0.1");
    await once(app, "listening");
  });

  afterAll(() => void app.close());

  it("keeps the client that posted it", async () => {
    const before = seen.length;
    await ask({ ...where, path: "/about", method: "POST" }, action);
    expect(seen.slice(before)).toEqual([client, client]);
    expect(targets.slice(before)).toEqual(["/about", "/login"]);
  });

  it("is not what a client says it is", async () => {
    const forgedSeal = { "x-action-forwarded": "1", "x-sluice-action": `127.0.0.9 ${"A".repeat(43)}` };
    expect(await ask({ ...where, path: "/login", method: "POST" }, forgedSeal)).toBe(client);
    expect(await ask({ ...where, path: "/login", method: "POST" }, { "x-action-forwarded": "1" })).toBe(
      client,
    );
  });
});

it("tells a request that came before the stamp from one that was stamped elsewhere", () => {
  expect(readStamp(new Headers())).toEqual({ isEarly: true });
  expect(readStamp(new Headers({ "x-sluice-peer": "word 127.0.0.1 /" }))).toEqual({});
  const begun = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(begun + 61_000);
  expect(readStamp(new Headers())).toEqual({ isEarly: false });
  clock.mockRestore();
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

it("gives the proxy the response of its request, and none of an upgrade or a stranger", async () => {
  const findings: (boolean | undefined)[] = [];
  const stamps: string[] = [];
  const readOf = (stamped: string) => readStamp(new Headers({ "x-sluice-peer": stamped })).response;
  const app = createServer((incoming, response) => {
    const stamped = String(incoming.headers["x-sluice-peer"]);
    stamps.push(stamped);
    findings.push(readOf(stamped) === response);
    response.end();
  });
  app.on("upgrade", (incoming: IncomingMessage, socket) => {
    findings.push(readOf(String(incoming.headers["x-sluice-peer"])) === undefined);
    socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n");
  });
  const here = { port: await freePort(), host: "127.0.0.1" };
  app.listen(here.port, here.host);
  await once(app, "listening");
  await ask(here);
  await ask(here);
  await ask(here, { ...forged, connection: "upgrade", upgrade: "websocket" });
  expect(findings).toEqual([true, true, true]);
  const [word = "", peer, number] = (stamps[0] ?? "").split(" ");
  for (const other of [`${word} ${peer} 0 /`, `${word} ${peer} ${Number(number) + 9_999} /`, `x ${peer} 1 /`])
    expect(readOf(other)).toBeUndefined();
  app.close();
});

it("keeps the responses of requests under way, and few others", () => {
  const { responses } = stamp();
  const begin = () => new ServerResponse(new IncomingMessage(new Socket()));
  const long = begin();
  const number = responses.add(long);
  for (let n = 0; n < 1_000; n++) {
    const response = begin();
    responses.add(response);
    if (n % 2 === 0) response.end();
    else response.destroy();
  }
  expect(responses.get(number)).toBe(long);
  expect(responses.count).toBeLessThan(5);
  long.end();
});

it("knows a request that is alone: no other is under way, and the last one came on the same connection", async () => {
  const alone: (boolean | undefined)[] = [];
  const held: ServerResponse[] = [];
  const app = createServer((incoming, response) => {
    alone.push(
      readStamp(new Headers({ "x-sluice-peer": String(incoming.headers["x-sluice-peer"]) })).isAlone,
    );
    if (incoming.url === "/held") held.push(response);
    else response.end();
  });
  const here = { port: await freePort(), host: "127.0.0.1" };
  app.listen(here.port, here.host);
  await once(app, "listening");
  const connection = () => ({ ...here, agent: new Agent({ keepAlive: true, maxSockets: 1 }) });
  const [one, other] = [connection(), connection()];
  const found = async (wheres: readonly object[]) => {
    alone.length = 0;
    for (const where of wheres) await ask(where);
    return [...alone];
  };
  // What other tests left behind.
  await found(Array.from({ length: 10 }, () => one));
  expect(await found([one, one])).toEqual([true, true]);
  const waiting = ask({ ...one, path: "/held" });
  await eventually(() => expect(held).toHaveLength(1));
  expect(await found([other, other])).toEqual([false, false]);
  held[0]?.end();
  await waiting;
  await found([other, other]);
  expect(await found([other, one, one, other, one])).toEqual([true, false, true, false, false]);
  for (const { agent } of [one, other]) agent.destroy();
  app.close();
});
