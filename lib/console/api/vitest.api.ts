import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import type { Ip } from "../../ip/parse.ts";
import { refusalsHome } from "../../manage/audit/denied-attempts.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { createToken, type TokenInput } from "../../manage/tokens/create-token.ts";
import { RefusedTokens } from "../../manage/tokens/refused-tokens.ts";
import type { TokenScope } from "../../manage/tokens/scopes.ts";
import { TokenUses } from "../../manage/tokens/token-uses.ts";
import { writeUser } from "../../manage/users/user.ts";
import { keys } from "../../redis/keys.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { theCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";
import { directoryOf } from "../customers/customer-directory.ts";
import { type ApiParts, answerApi } from "./api.ts";
import { openApi } from "./openapi.ts";
import { matchPath } from "./operations.ts";

/** The one that testLog seals with. */
const secretOfConsole = "a secret that Redis never sees";

export interface Call {
  readonly secret?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of JSON.
  readonly body: any;
}

/** The API on a Redis of the test file's own. */
export function testApi() {
  const log = testLog();
  let guard: Guard;
  let tests = 0;
  let parts: ApiParts;
  beforeAll(() => {
    const { host, port } = log.client.options;
    vi.stubEnv("REDIS_URL", `redis://${host}:${port}`);
    vi.stubEnv("NEXTAUTH_SECRET", secretOfConsole);
    vi.stubEnv("SLUICE_NEVER_BLOCK", "192.0.2.0/24");
  });
  const closeCatalogue = () => {
    theCatalogue().close();
    forgetOnce("catalogue");
  };
  // Before Redis is emptied, which would be a loss to it.
  afterEach(closeCatalogue);
  beforeEach(async () => {
    forgetOnce(refusalsHome);
    // Otherwise the console makes a first admin, and a record of it.
    const user = writeUser({ role: "admin", version: 1, since: "", by: "sso" });
    await log.client.hset(keys.users(), "ada@example.org", user);
    guard = createGuard({ redis: "memory:", app: "console" });
    // Each test has counters of its own.
    tests++;
    const limit = (name: string, most: number) =>
      guard.limit(`${name}-${tests}`, {
        algorithm: "first-hit",
        levels: [{ limit: most, periodSeconds: 3_600 }],
      });
    const opened = theConsole();
    parts = {
      console: opened,
      refused: new RefusedTokens({ redis: opened.redis, seal: opened.seal }, () => {}),
      uses: new TokenUses(),
      limits: { reads: limit("api-reads", 500), writes: limit("api-writes", 50) },
    };
  });
  afterAll(async () => {
    closeCatalogue();
    for (const name of ["statistics", "shared answers"]) forgetOnce(name);
    const { redis, counters } = theConsole();
    redis.disconnect();
    counters.disconnect();
    forgetOnce("console");
    vi.unstubAllEnvs();
    await guard.close();
  });

  const call = async (method: string, path: string, given: Call = {}): Promise<Reply> => {
    const { secret, body, headers = {}, address = "203.0.113.200" } = given;
    const request = new Request(`http://console.example.org/api/v1${path}`, {
      method,
      headers: {
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const response = await answerApi(parts, request, { address: address as Ip, isForwarded: false });
    const found = JSON.parse(await response.text());
    checkReply(method, path, response.status, found);
    return { status: response.status, headers: response.headers, body: found };
  };
  return {
    log,
    call,
    get parts() {
      return parts;
    },
    /** A new token's secret. */
    async token(scopes: readonly TokenScope[], rest: Partial<TokenInput> = {}): Promise<string> {
      const input = { name: "ci", scopes, expiresInMs: null, ...rest };
      return (await createToken(log.signed({ name: "cli:root", via: "cli" }), input)).secret;
    },
    /** Ends the console's copy of customers, which a preview opens. */
    async closeDirectory() {
      const { mirror } = await directoryOf(parts.console);
      await mirror.close();
      forgetOnce("console customers");
    },
    /** What was recorded beside tokens. */
    async records() {
      return (await log.records()).filter(({ action }) => !action.startsWith("token."));
    },
  };
}

/** A reply has what the document says, and no member more. Its status is one of those that the document has. */
function checkReply(method: string, path: string, status: number, body: unknown): void {
  const [pathname = ""] = path.split("?");
  const operation = matchPath(pathname)?.operations.find((one) => one.method === method);
  if (!operation) return;
  const documented = openApi().paths[operation.path]?.[method.toLowerCase()];
  expect(Object.keys(documented?.responses ?? {}), `${method} ${path}`).toContain(String(status));
  if (status >= 300) return;
  const reply = operation.reply as unknown as { parse(given: unknown): unknown };
  expect(reply.parse(body), `${method} ${path}`).toEqual(body);
}
