import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server.js";
import { environment, requireRedisUrl } from "./lib/env.ts";
import { createGuard } from "./lib/guard/guard.ts";
import { createProxy } from "./lib/guard/next.ts";
import { consoleApp } from "./lib/policy/match.ts";

const env = environment();
const guard = createGuard({
  redis: requireRedisUrl(env),
  counters: env.countersRedisUrl,
  app: consoleApp,
  trustedProxies: env.trustedProxies,
  neverBlock: env.neverBlock,
});

export const proxy = createProxy(guard, { identify: withoutKey, proxy: withContentPolicy });

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
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
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
