import { once } from "node:events";
import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refuseLongBodies } from "./refuse-long-bodies.ts";

const secret = "a secret of at least thirty-two characters";
const server = createServer(async (request, response) => {
  let length = 0;
  for await (const chunk of request) length += chunk.length;
  response.end(String(length));
});
beforeAll(async () => {
  refuseLongBodies(secret);
  refuseLongBodies(secret);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

/** Posts so much, or only says that it will. */
async function post(length: number, headers: Record<string, string> = {}, isSent = true) {
  const { port } = server.address() as AddressInfo;
  const asked = send({ port, host: "127.0.0.1", method: "POST", path: "/", headers });
  asked.on("error", () => {});
  if (!("transfer-encoding" in headers)) asked.setHeader("content-length", length);
  asked.flushHeaders();
  if (isSent) asked.end(Buffer.alloc(length));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response) body += chunk;
  asked.destroy();
  return { status: response.statusCode, connection: response.headers.connection, body };
}

const cookie = async (by = secret) => ({
  cookie: `a=b; sluice.session=${await encode({ token: { sid: "x" }, secret: by })}`,
});

it("hands short bodies over, and long ones of a user", async () => {
  expect(await post(16_000)).toMatchObject({ status: 200, body: "16000" });
  expect(await post(1_000_000, await cookie())).toMatchObject({ status: 200, body: "1000000" });
  expect(await post(30_000, { ...(await cookie()), "transfer-encoding": "chunked" })).toMatchObject({
    status: 200,
    body: "30000",
  });
});

it("refuses others before they have come, and ends the connection", async () => {
  const refused = { status: 413, connection: "close", body: expect.stringContaining("16 kB") };
  expect(await post(16_001, {}, false)).toMatchObject(refused);
  expect(await post(10_000_000, { cookie: "sluice.session=forged" }, false)).toMatchObject(refused);
  expect(await post(10_000_000, await cookie("another secret, just as long as that"), false)).toMatchObject(
    refused,
  );
  expect(await post(1, { "transfer-encoding": "chunked" }, false)).toMatchObject(refused);
  expect(await post(1_100_001, await cookie(), false)).toMatchObject({
    ...refused,
    body: expect.stringContaining("1100 kB"),
  });
});
