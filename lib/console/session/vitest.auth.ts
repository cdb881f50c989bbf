import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { parseIp } from "../../ip/parse.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { testPasswordChecks } from "../../manage/users/vitest.sign-in.ts";
import { settle } from "../../manage/users/vitest.users.ts";
import { type AuthParts, authOptions } from "./auth.ts";
import { Browser, startAuth } from "./vitest.console.ts";
import { client, type Provider, startProvider } from "./vitest.oidc.ts";

const parsed = parseIp("198.51.100.24");
export const address = parsed.ok ? parsed.value : undefined;

/** next-auth as the console has it, with a Redis, a provider of single sign-on and a browser of the test file's own. */
export function testAuth() {
  const log = testLog();
  const at = testPasswordChecks(log);
  let provider: Provider;
  let auth: Awaited<ReturnType<typeof startAuth>>;
  const now = { browser: new Browser(""), said: [] as string[], more: {} as Partial<AuthParts> };
  const cli = () => log.signed({ name: "cli:root", via: "cli" });
  const parts = (): AuthParts => ({
    ...{ door: at.door, secret: "a secret of at least 32 characters", isHttps: false, address },
    ...{ isForwarded: false, before: undefined, log: (line) => now.said.push(line) },
    oidc: {
      ...{ issuer: provider.issuer, clientId: client.id, clientSecret: client.secret },
      ...{ roleClaim: "role", roleMap: undefined },
    },
    ...now.more,
  });
  beforeAll(async () => {
    provider = await startProvider();
    auth = await startAuth(() => authOptions(parts()));
    vi.stubEnv("NEXTAUTH_URL", auth.url);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await Promise.all([auth.stop(), provider.stop()]);
  });
  beforeEach(async () => {
    provider.reset();
    Object.assign(now, { browser: new Browser(auth.url), said: [], more: {} });
    await settle(cli(), "root@example.org", "admin");
  });
  return {
    /** The browser, what was logged, and what is different about the console, in this test. */
    now,
    ...{ log, at, cli },
    get provider() {
      return provider;
    },
    get url() {
      return auth.url;
    },
    placeOf: (response: Response) => (response.headers.get("location") ?? "").replace(auth.url, ""),
    lastRecord: async () => (await log.records()).at(-1),
    openSessions: () => log.client.keys("sluice:session:*"),
  };
}
