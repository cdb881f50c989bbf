import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NodeNextRequest, NodeNextResponse } from "next/dist/server/base-http/node.js";
import { sendResponse } from "next/dist/server/send-response.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGuard } from "./guard.ts";
import { limit } from "./next.ts";
import { stampPeers } from "./stamp.ts";

const guard = createGuard({ redis: "memory:", app: "shop", log: () => {} });
const terms = { limit: 1, periodSeconds: 86_400, algorithm: "first-hit" } as const;
const inner = limit(guard, "inner", { ...terms, limit: 5 });
const outer = limit(guard, "outer", terms);
const route = outer(inner(() => new Response("done", { headers: { "x-own": "1" } })));

/** What a proxy has set on the response before the route runs. */
let ofProxy: Record<string, string> = {};
let server: Server;
let url: string;

async function answer(incoming: IncomingMessage, response: ServerResponse) {
  for (const [name, value] of Object.entries(ofProxy)) response.setHeader(name, value);
  const headers = new Headers({ "x-sluice-peer": String(incoming.headers["x-sluice-peer"]) });
  const answered = await route(new Request(url, { headers }), {});
  await sendResponse(new NodeNextRequest(incoming), new NodeNextResponse(response), answered);
}

beforeAll(async () => {
  await guard.ready();
  stampPeers();
  server = createServer((incoming, response) => void answer(incoming, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  server.close();
  await guard.close();
});

const quotasOf = async () => {
  const { status, headers } = await fetch(url);
  const items = (name: string) =>
    headers
      .get(name)
      ?.replace(/code\/shop\/|;t=\d+/g, "")
      .split(", ");
  return { status, policy: items("ratelimit-policy"), quotas: items("ratelimit") };
};

it("keeps its quotas beside those that the proxy has set, on a pass and on a denial", async () => {
  ofProxy = { "ratelimit-policy": '"all";q=9;w=60', ratelimit: '"all";r=8;t=60' };
  expect(await quotasOf()).toEqual({
    status: 200,
    policy: ['"all";q=9;w=60', '"inner";q=5;w=86400', '"outer";q=1;w=86400'],
    quotas: ['"all";r=8', '"inner";r=4', '"outer";r=0'],
  });
  expect(await quotasOf()).toEqual({
    status: 429,
    policy: ['"all";q=9;w=60', '"outer";q=1;w=86400'],
    quotas: ['"all";r=8', '"outer";r=0'],
  });
  ofProxy = {};
  expect(await quotasOf()).toEqual({ status: 429, policy: ['"outer";q=1;w=86400'], quotas: ['"outer";r=0'] });
});
