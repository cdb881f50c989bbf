import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { joinWrites } from "./join-writes.ts";

let close = () => {};
afterEach(() => close());

/** How a server that answers so writes to its socket. */
async function answered(answer: (response: ServerResponse) => Promise<void>) {
  const writes: string[] = [];
  const server = createServer((_, response) => void answer(response));
  server.on("connection", (socket: Socket) => {
    const { _write, _writev } = socket;
    socket._write = function (chunk, encoding, done) {
      writes.push(String(chunk));
      _write.call(this, chunk, encoding, done);
    };
    socket._writev = function (chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(""));
      _writev?.call(this, chunks, done);
    };
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  close = () => {
    client.destroy();
    server.close();
  };
  client.write("GET / HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n");
  return { client, writes };
}

/** As Next answers: each part follows in a microtask of its own. */
async function answerAsNext(response: ServerResponse) {
  response.flushHeaders();
  await undefined;
  response.write("in stock");
  await new Promise<void>((done) => process.nextTick(done));
  response.end();
}

it("makes one write of a response that ends in the turn in which it begins", async () => {
  const apart = await answered(answerAsNext);
  const plain = await text(apart.client);
  expect(apart.writes.length).toBeGreaterThan(1);
  close();
  joinWrites();
  joinWrites();
  const joined = await answered(answerAsNext);
  const withoutDate = (answer: string) => answer.replace(/^date: .*$/im, "");
  expect(withoutDate(await text(joined.client))).toBe(withoutDate(plain));
  expect(joined.writes).toHaveLength(1);
});

it("keeps no part of a stream back", async () => {
  joinWrites();
  let isRead = () => {};
  const read = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  const { client } = await answered(async (response) => {
    response.flushHeaders();
    await read;
    response.write("first");
    await once(client, "data");
    response.end("last");
  });
  const [head] = await once(client, "data");
  expect(String(head)).toMatch(/^HTTP\/1\.1 200 OK/);
  isRead();
  expect(String(await text(client))).toContain("last");
});

it("lets a client go that hangs up before the end of the turn", async () => {
  joinWrites();
  const { client, writes } = await answered(async (response) => {
    response.flushHeaders();
    response.socket?.destroy();
    response.end("in stock");
  });
  client.on("error", () => {});
  await once(client, "close");
  expect(writes).toEqual([]);
});
