import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMiddleware } from "../frameworks/express.ts";
import { createTestGuard, verdicts } from "./test-guard.ts";

const guard = createTestGuard({
  policy: {
    mode: "enforce",
    rules: [{ name: "login", client: "ip", algorithm: "fixed", levels: [{ limit: 2, periodSeconds: 60 }] }],
    tiers: {},
  },
});

const app = express();
app.use(createMiddleware(guard));
app.post("/login", (_, response) => void response.send("welcome"));

let server: ReturnType<typeof app.listen>;
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server = app.listen(0, "127.0.0.1", () => resolve());
  });
  // The one cast: a server that listens on TCP has such an address.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/login`;
});
afterAll(() => server.close());

const login = (from: string) => fetch(url, { method: "POST", headers: { "x-forwarded-for": from } });

it("denies the third attempt within a minute", async () => {
  for (const status of [200, 200, 429]) expect((await login("203.0.113.9")).status).toBe(status);
  guard.advance(60_000);
  expect((await login("203.0.113.9")).status).toBe(200);
});

it("refuses a blocked address", async () => {
  guard.block("198.51.100.0/24");
  expect((await login("198.51.100.7")).status).toBe(403);
});

it("says when to retry", async () => {
  guard.answer(verdicts.throttled({ rule: "login", retryAfterSeconds: 30 }));
  const response = await login("203.0.113.10");
  expect(response.headers.get("retry-after")).toBe("30");
  expect(await response.text()).toContain("Try again in 30 s.");
});
