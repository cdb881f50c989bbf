import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Mode } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { refusalsHome } from "../../manage/audit/denied-attempts.ts";
import type { Role } from "../../manage/users/roles.ts";
import { openSession } from "../../manage/users/sessions.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { theConsole } from "../console.ts";
import { switchMode } from "./policy.ts";

const secret = "a secret of at least thirty-two characters";
const email = "ada@example.org";
const sent = vi.hoisted(() => ({ cookie: "", headers: {} as Record<string, string> }));

// What Next hands to an action of a request.
vi.mock("next/headers", () => ({
  headers: async () => new Headers(sent.headers),
  cookies: async () => ({ get: () => ({ value: sent.cookie }) }),
}));

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
  vi.stubEnv("REDIS_URL", server.url);
  vi.stubEnv("NEXTAUTH_SECRET", secret);
});

afterAll(async () => {
  theConsole().redis.disconnect();
  theConsole().counters.disconnect();
  await server.stop();
  vi.unstubAllEnvs();
});

beforeEach(async () => {
  await server.client.flushall();
  forgetOnce(refusalsHome);
  sent.headers = { origin: "http://localhost:3000", host: "localhost:3000" };
});

async function as(role: Role, mode: Mode, reason = "an attack") {
  const user = { role, version: 1, since: "", by: "password" };
  await server.client.hset("sluice:users", email, JSON.stringify(user));
  const sid = await openSession(server.client, { email, version: 1 });
  sent.cookie = await encode({ token: { sid }, secret });
  return switchMode({ mode, reason });
}

const modeNow = async () => (await readPolicy(server.client)).policy.mode;
const actions = async () =>
  (await server.client.xrange("sluice:audit", "-", "+")).map(([, [, text = ""]]) => JSON.parse(text).action);

describe.each(["shadow", "off"] as const)("into %s", (mode) => {
  it.each(["staff", "admin"] as const)("%s may", async (role) => {
    expect(await as(role, mode)).toEqual({ ok: true, value: { change: 1, version: 1 } });
    expect([await modeNow(), await actions()]).toEqual([mode, ["policy.mode"]]);
  });

  it.each(["viewer", "support"] as const)("%s may not, and that is on record", async (role) => {
    expect(await as(role, mode)).toMatchObject({ ok: false, error: { code: "not-allowed" } });
    expect([await modeNow(), await actions()]).toEqual(["enforce", ["refused:policy.mode"]]);
  });
});

describe("back to enforcing", () => {
  beforeEach(() => as("admin", "off"));

  it.each(["staff", "viewer", "support"] as const)("%s may not", async (role) => {
    expect(await as(role, "enforce")).toMatchObject({ ok: false, error: { code: "not-allowed" } });
    expect(await modeNow()).toBe("off");
  });

  it("an admin may", async () => {
    expect(await as("admin", "enforce")).toMatchObject({ ok: true, value: { change: 2 } });
    expect(await modeNow()).toBe("enforce");
  });
});

it.each(["", "   ", "x".repeat(501)])("takes no reason such as %j", async (reason) => {
  const result = await as("admin", "off", reason);
  expect(result).toMatchObject({
    ok: false,
    error: { code: "bad-input", fields: { reason: expect.any(String) } },
  });
  expect(await modeNow()).toBe("enforce");
});

it("takes nothing from a page of another site", async () => {
  sent.headers = { origin: "http://evil.example.org", host: "localhost:3000" };
  expect(await as("admin", "off")).toMatchObject({ ok: false, error: { code: "not-allowed" } });
  expect(await modeNow()).toBe("enforce");
});
