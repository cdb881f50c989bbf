import { notFound, permanentRedirect, redirect } from "next/navigation.js";
import { type NextFetchEvent, NextRequest, NextResponse } from "next/server.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { createGuard, type Guard } from "./guard.ts";
import { createProxy, limit, type ProxyOptions, settle } from "./next.ts";
import { newClient, periodSeconds, ruleOf, save } from "./vitest.nodes.ts";

let redis: TestRedis;
let guard: Guard;

beforeAll(async () => {
  redis = await startRedis();
  await save(redis, [
    ruleOf("login", "fixed", {
      levels: [{ limit: 2, periodSeconds }],
      countWhen: "failed",
      match: { only: ["/login"] },
    }),
    ruleOf("go", "concurrent", { levels: [{ limit: 1, periodSeconds: 60 }], match: { only: ["/go"] } }),
  ]);
  guard = createGuard({ redis: redis.url, app: "shop", log: () => {} });
  await guard.ready();
});
afterAll(async () => {
  await guard.close();
  await redis.stop();
});

const event = {} as NextFetchEvent;

async function ask(
  ip: string,
  path: string,
  options: ProxyOptions = {},
  headers: Record<string, string> = {},
) {
  const proxy = createProxy(guard, { ...options, clientAddress: () => ip });
  return proxy(new NextRequest(`http://shop.example${path}`, { headers }), event);
}

/** The headers that the route sees: those that the proxy changed, or else those that the client sent. */
function seenByRoute(response: Response, sent: Record<string, string> = {}): Headers {
  const names = response.headers.get("x-middleware-override-headers");
  if (names === null) return new Headers(sent);
  return new Headers(
    names.split(",").map((name) => [name, response.headers.get(`x-middleware-request-${name}`) ?? ""]),
  );
}

it("lets a route settle what its request holds, and counts what failed", async () => {
  const ip = newClient();
  for (const failed of [false, true, false, true]) {
    const response = await ask(ip, "/login", {}, { accept: "text/html" });
    expect(response.headers.get("x-middleware-next")).toBe("1");
    const headers = seenByRoute(response);
    expect(headers.get("accept")).toBe("text/html");
    await settle(new Request("http://shop.example/login", { headers }), { failed });
  }
  expect((await ask(ip, "/login")).status).toBe(429);
});

it("does nothing for a reference that it did not give out", async () => {
  const ip = newClient();
  const forged = { "x-sluice-settle": "AAAAAAAAAAAAAAAAAAAAAA" };
  const response = await ask(ip, "/go", {}, forged);
  expect(response.headers.get("x-middleware-request-x-sluice-settle")).not.toBe(forged["x-sluice-settle"]);
  for (const headers of [forged, {}]) await settle(new Headers(headers), { status: 200 });
  expect((await ask(ip, "/go")).status).toBe(429);
  await settle(seenByRoute(response), { status: 200 });
  expect((await ask(ip, "/go")).headers.get("x-middleware-next")).toBe("1");
});

it("changes no header of a request that holds nothing", async () => {
  const response = await ask(newClient(), "/");
  expect(response.headers.get("x-middleware-override-headers")).toBeNull();
});

it("goes on with the app's own proxy: its headers and its rewrite, and a response that ends the request", async () => {
  const own = new Headers({ "x-own": "1" });
  const answers: (() => NextResponse)[] = [
    () => NextResponse.next({ request: { headers: own } }),
    () => NextResponse.rewrite("http://shop.example/other"),
  ];
  for (const proxy of answers) {
    const ip = newClient();
    const response = await ask(ip, "/go", { proxy }, { accept: "text/html" });
    const headers = seenByRoute(response);
    expect([headers.get("x-own"), headers.get("accept")]).toContain(proxy === answers[0] ? "1" : "text/html");
    await settle(headers, {});
    expect((await ask(ip, "/go")).status).toBe(200);
  }
  const ip = newClient();
  const login = () => NextResponse.redirect("http://shop.example/login");
  for (let i = 0; i < 3; i++) expect((await ask(ip, "/go", { proxy: login })).status).toBe(307);
});

it("settles a limited route with the status that Next makes of what the route throws", async () => {
  const unauthorized = () => {
    throw Object.assign(new Error("unauthorized"), { digest: "NEXT_HTTP_ERROR_FALLBACK;401" });
  };
  const broken = () => {
    throw new Error("broken");
  };
  const routes: [status: number, route: () => never][] = [
    [404, () => notFound()],
    [307, () => redirect("/sign-in;a=1")],
    [308, () => permanentRedirect("https://shop.example/")],
    [401, unauthorized],
    [500, broken],
  ];
  for (const [status, route] of routes) {
    const ip = newClient();
    const countWhen = { status: [status] };
    const terms = { limit: 1, periodSeconds, countWhen, clientAddress: () => ip };
    const limited = limit(guard, `status-${status}`, terms)(route);
    const request = () => new Request("http://shop.example/api");
    await expect(limited(request(), {}), String(status)).rejects.toThrow();
    expect((await limited(request(), {})).status, String(status)).toBe(429);
  }
});
