import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { openSession } from "../../manage/users/sessions.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { theCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";
import { getStatus } from "./read-status.ts";

const secret = "a secret of at least thirty-two characters";
const email = "ada@example.org";
const cookie = vi.hoisted(() => ({ value: undefined as string | undefined }));

// What Next hands to a route of a request.
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({ get: () => (cookie.value === undefined ? undefined : { value: cookie.value }) }),
}));

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis("--appendonly", "yes", "--appendfsync", "always");
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("NEXTAUTH_SECRET", secret);
});

afterAll(async () => {
  theCatalogue().close();
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  await server.stop();
  vi.unstubAllEnvs();
});

beforeEach(async () => {
  const user = { role: "viewer", version: 1, since: "", by: "password" };
  await server.client.hset("sluice:users", email, JSON.stringify(user));
  const sid = await openSession(server.client, { email, version: 1 });
  cookie.value = await encode({ token: { sid }, secret });
});

const ask = () => getStatus(new Request("http://localhost/api/status"), { params: Promise.resolve({}) });

it("answers signed-in users, and lets no cache keep the answer", async () => {
  const response = await ask();
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(await response.json()).toMatchObject({ you: { email, role: "viewer" }, mode: "enforce" });
});

it("counts a new entry as soon as the console's own copy has it", async () => {
  await eventually(() => expect(theCatalogue().isComplete).toBe(true));
  await server.client.set("blocklist:192.0.2.1", "x");
  await eventually(async () =>
    expect(await (await ask()).json()).toMatchObject({ counts: { blocklist: 1, safelist: 0 } }),
  );
});

it("answers no other request", async () => {
  cookie.value = undefined;
  expect((await ask()).status).toBe(401);
});

it("does not extend the session", async () => {
  const [session = ""] = await server.client.keys("sluice:session:*");
  const before = await server.client.get(session);
  await ask();
  expect(await server.client.get(session)).toBe(before);
});

it("says within two seconds that Redis hangs", async () => {
  server.freeze();
  try {
    const before = performance.now();
    const response = await ask();
    // Plus two seconds for a busy machine.
    expect(performance.now() - before).toBeLessThan(4_000);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: "redis-unavailable" } });
  } finally {
    server.thaw();
  }
});

it("says that Redis is gone, and answers again when it is back", async () => {
  await server.kill();
  expect((await ask()).status).toBe(503);
  await server.restart();
  await eventually(async () => expect((await ask()).status).toBe(200));
});
