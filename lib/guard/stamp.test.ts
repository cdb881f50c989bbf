import { createServer, request } from "node:http";
import { expect, it } from "vitest";
import { freePort } from "../redis/testing.ts";
import { stampedPeer } from "./peer.ts";
import { stampPeers } from "./stamp.ts";

it("takes no peer from a header before it stamps, and the socket's over any header afterwards", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((incoming, response) => {
    seen.push(stampedPeer(new Headers({ "x-sluice-peer": String(incoming.headers["x-sluice-peer"]) })));
    response.end();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const ask = () =>
    new Promise<void>((resolve) => {
      const headers = { "X-Sluice-Peer": ["203.0.113.9", "203.0.113.10"] };
      request({ port, host: "127.0.0.1", headers }, (response) => response.resume().on("end", resolve)).end();
    });
  await ask();
  stampPeers();
  stampPeers();
  await ask();
  expect(seen).toEqual([undefined, "127.0.0.1"]);
  server.close();
});
