import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { refusalsHome } from "../../manage/audit/denied-attempts.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import type { Role } from "../../manage/users/roles.ts";
import { openSession } from "../../manage/users/sessions.ts";
import { settle, storedUser } from "../../manage/users/vitest.users.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { theCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";

/** The one that testLog seals with. */
const secret = "a secret that Redis never sees";

/** What Next would say of the request: set by the test file's mock of next/headers. */
export const request = { cookies: new Map<string, string>(), headers: new Headers() };

/** The console on a Redis of the test file's own, with a user signed in. */
export function testActions() {
  const log = testLog();
  beforeAll(() => {
    const { host, port } = log.client.options;
    vi.stubEnv("REDIS_URL", `redis://${host}:${port}`);
    vi.stubEnv("NEXTAUTH_SECRET", secret);
    vi.stubEnv("SLUICE_ADMIN_PASSWORD", "correct horse battery");
  });
  const closeCatalogue = () => {
    theCatalogue().close();
    forgetOnce("catalogue");
  };
  afterAll(() => {
    closeCatalogue();
    const { redis, counters } = theConsole();
    redis.disconnect();
    counters.disconnect();
    for (const name of ["console", "list history"]) forgetOnce(name);
    vi.unstubAllEnvs();
  });
  beforeEach(() => {
    // A new one for each test: to the old one an emptied Redis is a loss.
    closeCatalogue();
    // Each test is refused for the first time.
    forgetOnce(refusalsHome);
    request.cookies.clear();
    request.headers = new Headers({ origin: "http://console.example.org", host: "console.example.org" });
  });
  return {
    log,
    /** From here on requests are theirs. */
    async signIn(role: Role): Promise<string> {
      const email = `${role}@example.org`;
      const { redis } = theConsole();
      const isKnown = (await storedUser(log.client, email)) !== undefined;
      if (!isKnown) await settle(log.signed({ name: "cli:root", via: "cli" }), email, role);
      const version = (await storedUser(log.client, email))?.version ?? 0;
      const sid = await openSession(redis, { email, version });
      request.cookies.set("sluice.session", await encode({ token: { sid }, secret }));
      return email;
    },
    /** What was done beside signing in and inviting. */
    async records() {
      return (await log.records()).filter(({ action }) => !/^(user|sign-in)/.test(action));
    },
  };
}
