import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server.js";
import { createGuard } from "./lib/enforce/guard/guard.ts";
import { createProxy } from "./lib/enforce/guard/next.ts";
import { readStamp } from "./lib/enforce/guard/peer.ts";
import { consoleApp } from "./lib/enforce/policy/match.ts";
import { environment, isDevelopment, requireRedisUrl } from "./lib/env.ts";
import { countedClient, isPublicPath, PublicPathLimit } from "./lib/manage/users/public-paths.ts";

const env = environment();

export const proxy = env.isOnlyCheck ? onlyCheck : consoleProxy();

/** This process answers for other apps. It is no node of the console, and has none of its pages. */
function onlyCheck({ nextUrl: { pathname } }: NextRequest): NextResponse {
  // Paths that the matcher leaves out do not come here: the check itself, and health.
  if (pathname === "/api/metrics") return NextResponse.next();
  return new NextResponse("Not found: this process serves only the check.\n", { status: 404 });
}

function consoleProxy() {
  const guard = createGuard({
    redis: requireRedisUrl(env),
    counters: env.countersRedisUrl,
    app: consoleApp,
    trustedProxies: env.trustedProxies,
    neverBlock: env.neverBlock,
  });
  const publicLimit = new PublicPathLimit();

  /** Seconds that a client must wait which asks for the public paths too often. */
  function waitSeconds({ headers, nextUrl: { pathname } }: NextRequest): number | undefined {
    if (!isPublicPath(pathname)) return undefined;
    const forwardedFor = headers.get("x-forwarded-for");
    const { peer } = readStamp(headers);
    const client = countedClient({ address: guard.clientAddress(peer, forwardedFor), peer, forwardedFor });
    return client === undefined ? undefined : publicLimit.take(client);
  }

  return createProxy(guard, {
    identify: withoutKey,
    proxy: (request) => {
      const seconds = waitSeconds(request);
      return onlyOverTls(seconds === undefined ? withContentPolicy(request) : tooManyRequests(seconds));
    },
  });
}

/** For a year, browsers ask this host over https alone. Other hosts of the domain are not the console's business. */
function onlyOverTls(response: NextResponse): NextResponse {
  if (env.publicUrl?.startsWith("https:"))
    response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
}

function tooManyRequests(seconds: number): NextResponse {
  return new NextResponse(`Too many requests from your address. Try again in ${seconds} s.\n`, {
    status: 429,
    headers: { "retry-after": String(seconds), "cache-control": "private, no-store" },
  });
}

/** The address of a one-time link is its key, and everybody who may read statistics sees addresses. */
function withoutKey({ nextUrl: { pathname } }: NextRequest): { path?: string } {
  return pathname.startsWith("/welcome/") ? { path: "/welcome/" } : {};
}

/** Next cannot find a page by an address that cannot be decoded, and would call that a failure of its own. */
function isReadable({ nextUrl: { pathname } }: NextRequest): boolean {
  try {
    return decodeURIComponent(pathname) !== "";
  } catch {
    return false;
  }
}

/** Next puts the nonce that it finds in the request's policy on every script and style of its own. */
function withContentPolicy(request: NextRequest): NextResponse {
  if (!isReadable(request)) return new NextResponse("This address cannot be read.\n", { status: 400 });
  const policy = contentPolicy(randomBytes(16).toString("base64"));
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  headers.set("x-sluice-path", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

/** Style attributes are set by what floats (menus, charts); they cannot load or run anything. */
function contentPolicy(nonce: string): string {
  const ofNonce = `'nonce-${nonce}'`;
  // In development mode Next loads edited modules by eval, and its tools have styles without a nonce. A build never does.
  const [scripts, styles] = isDevelopment()
    ? [`${ofNonce} 'unsafe-eval'`, "'unsafe-inline'"]
    : [ofNonce, ofNonce];
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts} 'strict-dynamic'`,
    `style-src 'self' ${styles}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

// The check knows its callers by a token, and is asked by a proxy for addresses that are not its own.
export const config = { matcher: "/((?!_next/static/|api/health$|api/check$).*)" };
