import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { type NextFetchEvent, NextRequest, NextResponse } from "next/server.js";
import { expect, it } from "vitest";
import type { Guard } from "./guard.ts";
import { createProxy } from "./next.ts";
import { stamp } from "./peer.ts";
import { createTestGuard } from "./test-guard.ts";
import { verdict } from "./verdict.ts";

const guard = createTestGuard({
  policy: {
    mode: "enforce",
    rules: [{ name: "api", client: "customer", algorithm: "fixed", levels: "tier" }],
    tiers: { free: { levels: [{ limit: 1, periodSeconds: 3_600 }] } },
  },
  customers: { acme: { tier: "free" } },
  blocklist: ["203.0.113.9"],
});
const proxy = createProxy(guard, {
  identify: (request) => ({ customerId: request.cookies.get("customer")?.value }),
});

// The one cast: this proxy has no use for the event.
const event = {} as NextFetchEvent;
const ask = (headers: Record<string, string>) =>
  proxy(new NextRequest("https://shop.example.org/api/export", { headers }), event);

it("refuses a blocked address", async () => {
  expect((await ask({ "x-forwarded-for": "203.0.113.9" })).status).toBe(403);
});

it("gives each customer what its tier allows, and tells JSON callers when to retry", async () => {
  const headers = { cookie: "customer=acme", accept: "application/json", "x-forwarded-for": "203.0.113.10" };
  expect((await ask(headers)).headers.get("x-middleware-next")).toBe("1");
  const denied = await ask(headers);
  expect(denied.status).toBe(429);
  expect(await denied.json()).toMatchObject({ "violated-policies": ["api"] });
  guard.setCustomer("acme", { limits: [{ limit: 5, periodSeconds: 3_600 }] });
  expect((await ask(headers)).headers.get("x-middleware-next")).toBe("1");
});

it("lets requests of one turn of the event loop go on together, and one that is alone at once", async () => {
  const steps: string[] = [];
  const guard: Pick<Guard, "check"> = {
    async check({ ip }) {
      steps.push(`${ip} is checked`);
      return verdict.pass();
    },
  };
  const proxy = createProxy(guard as Guard, {
    clientAddress: (request) => request.headers.get("x-client") ?? undefined,
    proxy(request) {
      steps.push(`${request.headers.get("x-client")} goes on`);
      return NextResponse.next();
    },
  });
  const send = (client: string, headers: Record<string, string> = {}) => {
    const request = new NextRequest("http://localhost/", { headers: { "x-client": client, ...headers } });
    return proxy(request, event);
  };
  const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));
  // Two tasks of one turn. Each has ended, with all of its promises, before the next one begins.
  const tasks = ["a", "b"].map(
    (client) => new Promise((resolve) => setImmediate(() => resolve(send(client)))),
  );
  await Promise.all(tasks);
  expect(steps).toEqual(["a is checked", "b is checked", "a goes on", "b goes on"]);

  steps.length = 0;
  const ours = stamp();
  ours.word = "test ";
  const begin = () => ours.responses.add(new ServerResponse(new IncomingMessage(new Socket())));
  const alone = send("c", { "x-sluice-peer": `test 127.0.0.1 ${begin()} /` });
  await Promise.race([alone, endOfTurn().then(() => steps.push("the turn ends"))]);
  expect(steps).toEqual(["c is checked", "c goes on"]);
  steps.length = 0;
  const beside = send("d", { "x-sluice-peer": `test 127.0.0.1 ${begin()} /` });
  await endOfTurn().then(() => steps.push("the turn ends"));
  await beside;
  expect(steps.slice(0, 2)).toEqual(["d is checked", "the turn ends"]);
  ours.word = "";
});
