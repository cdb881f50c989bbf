import { type NextFetchEvent, type NextRequest, NextResponse } from "next/server.js";
import type { Guard, GuardRequest } from "./guard.ts";
import { type Known, knownBy } from "./identify.ts";
import { gone, readStamp, type Stamped } from "./peer.ts";
import { refusalOf } from "./refusal.ts";
import { isDenied, type Verdict } from "./verdict.ts";

export interface ProxyOptions {
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: (request: NextRequest) => Known | Promise<Known>;
  /** The app's own proxy, for requests that may pass. */
  readonly proxy?: (
    request: NextRequest,
    event: NextFetchEvent,
    verdict: Verdict,
  ) => Response | undefined | Promise<Response | undefined>;
  /** Where the platform tells the client's address, if not by the socket. Whoever can send what it reads can be anyone. */
  readonly clientAddress?: (request: NextRequest) => string | undefined;
}

type Proxy = (request: NextRequest, event: NextFetchEvent) => Promise<Response>;

/**
 * For `proxy.ts` of Next 16, or `middleware.ts` of Next 15.5 on the Node runtime.
 *
 * @example
 * const guard = createGuard({ redis: "redis://127.0.0.1:6379", app: "storefront" });
 * export const proxy = createProxy(guard);
 */
export function createProxy(guard: Guard, options: ProxyOptions = {}): Proxy {
  return async (request, event) => {
    const stamped = readStamp(request.headers);
    if (stamped.peer === gone) return new NextResponse(null, { status: 403 });
    const asked = requestOf(guard, request, stamped, options);
    const known = options.identify && (await knownBy(() => options.identify?.(request)));
    const verdict = await guard.check(known ? { ...asked, ...known } : asked);
    if (isDenied(verdict)) {
      const { body, ...init } = refusalOf(verdict, request.headers.get("accept"));
      return new NextResponse(request.method === "HEAD" ? null : body, init);
    }
    const response = options.proxy && (await options.proxy(request, event, verdict));
    return response
      ? withHeaders(response, verdict.headers)
      : NextResponse.next({ headers: verdict.headers });
  };
}

/**
 * Next calls this once when the server starts. Without it the guard cannot know who is asking: Next shows its proxy no
 * socket, and a header alone is anyone's word.
 *
 * @example
 * export { register } from "sluice/next"; // instrumentation.ts
 */
export async function register(): Promise<void> {
  // Next replaces the name when it builds, and so leaves the stamp, which needs Node, out of an Edge build.
  if (process.env.NEXT_RUNTIME === "edge") return;
  const { stampPeers } = await import("./stamp.ts");
  stampPeers();
}

/** A copy, because the headers of a redirect made by `Response.redirect` cannot be set. */
function withHeaders(response: Response, headers: Verdict["headers"]): Response {
  const names = Object.keys(headers);
  if (names.length === 0) return response;
  const copy = new NextResponse(response.body, response);
  for (const name of names) copy.headers.set(name, headers[name] ?? "");
  return copy;
}

function requestOf(
  guard: Guard,
  request: NextRequest,
  { peer, target }: Stamped,
  options: ProxyOptions,
): GuardRequest {
  const ip = options.clientAddress
    ? options.clientAddress(request)
    : guard.clientAddress(peer, request.headers.get("x-forwarded-for"));
  return {
    ip,
    method: request.method,
    host: request.headers.get("host") ?? "",
    path: request.nextUrl.pathname,
    headers: request.headers,
    ...(target?.startsWith("/") && { target }),
  };
}
