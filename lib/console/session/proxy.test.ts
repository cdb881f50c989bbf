import { NextFetchEvent } from "next/dist/server/web/spec-extension/fetch-event.js";
import { NextRequest } from "next/server.js";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { register } from "@/instrumentation.ts";
import nextConfig from "@/next.config.mjs";
import { peerHeader, stamp } from "../../enforce/guard/peer.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await redis.stop();
});
beforeEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  vi.stubEnv("REDIS_URL", redis.url);
});

it("holds bodies in memory up to the size that server actions need", () => {
  expect(nextConfig.experimental?.proxyClientMaxBodySize).toBe("1100kb");
});

/** Asks the proxy of a process that starts with the environment as it is now. */
async function startProxy() {
  const answer = await startAnswering();
  return async (...asked: Parameters<typeof answer>) => {
    const response = await answer(...asked);
    return response.headers.has("x-middleware-next") ? "passed on" : response.status;
  };
}

async function startAnswering() {
  const { proxy } = await import("@/proxy.ts");
  return (path: string, from = "203.0.113.9", headers: Record<string, string> = {}) => {
    stamp().word = "word ";
    const request = new NextRequest(`http://localhost${path}`, {
      headers: { "x-forwarded-for": from, ...headers, [peerHeader]: `word ${from} 0 ${path}` },
    });
    return proxy(request, new NextFetchEvent({ request, page: "/", context: undefined }));
  };
}

it("has no page, sign-in or other route in a process that is check only, and starts no work of a console", async () => {
  vi.stubEnv("SLUICE_ONLY_CHECK", "1");
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
  vi.spyOn(console, "log").mockImplementation(() => {});
  await register();
  expect(await redis.client.exists(keys.users())).toBe(0);
  const ask = await startProxy();
  for (const path of ["/", "/signin", "/api/auth/csrf", "/welcome/x", "/api/checks", "/api/metrics/x", "/x"])
    expect([path, await ask(path)]).toEqual([path, 404]);
  expect(await ask("/api/metrics")).toBe("passed on");
});

it("ends at start, with one message, when single sign-on could give a role by accident", async () => {
  vi.stubEnv("NEXTAUTH_SECRET", "a secret of at least thirty-two characters");
  for (const name of ["CLIENT_ID", "CLIENT_SECRET"]) vi.stubEnv(`OIDC_${name}`, "x");
  vi.stubEnv("OIDC_ISSUER", "https://sso.example.org");
  vi.stubEnv("OIDC_ROLE_CLAIM", "groups");
  const exit = vi.spyOn(process, "exit").mockImplementation(() => expect.unreachable("ended") as never);
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  await expect(register()).rejects.toThrow("ended");
  expect(exit).toHaveBeenCalledWith(1);
  expect(said.mock.calls).toEqual([
    [expect.stringMatching(/^sluice: OIDC_ROLE_CLAIM: "groups" needs OIDC_ROLE_MAP\./)],
  ]);
  expect(await redis.client.exists(keys.users())).toBe(0);
  vi.restoreAllMocks();
});

it("limits how often one address may ask for public paths, and no other address", async () => {
  const ask = await startProxy();
  const count = async (times: number, path: string, from?: string, headers?: Record<string, string>) => {
    const answers = await Promise.all(Array.from({ length: times }, () => ask(path, from, headers)));
    return answers.filter((answer) => answer === 429).length;
  };
  expect(await count(310, "/signin")).toBe(10);
  expect(await count(1, "/api/auth/csrf")).toBe(1);
  expect(await count(1, "/")).toBe(0);
  expect(await count(1, "/signin", "203.0.113.10")).toBe(0);
  // Docker's gateway, and a proxy that is not named: everybody comes from there.
  expect(await count(310, "/signin", "172.18.0.1")).toBe(0);
  expect(await count(310, "/signin", "198.51.100.1", { "x-forwarded-for": "192.0.2.1" })).toBe(0);
});

it.each([
  ["https://sluice.example.org", "max-age=31536000"],
  ["http://localhost:3000", null],
])("asks browsers that reach it at %s to keep to https: %s", async (publicUrl, expected) => {
  vi.stubEnv("NEXTAUTH_URL", publicUrl);
  const answer = await startAnswering();
  for (const path of ["/", "/signin", "/api/status", "/%E0%A4%A"])
    expect((await answer(path)).headers.get("strict-transport-security"), path).toBe(expected);
});

it("lets no other site load, open or frame its answers", async () => {
  const { default: config } = await import("@/next.config.mjs");
  const [everywhere] = (await config.headers?.()) ?? [];
  expect(everywhere?.source).toBe("/:path*");
  expect(Object.fromEntries(everywhere?.headers.map(({ key, value }) => [key, value]) ?? [])).toMatchObject({
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
  });
});
