import { type NextFetchEvent, type NextRequest, NextResponse } from "next/server.js";
import type { Guard } from "./guard.ts";
import { type Identified, knownBy } from "./identify.ts";
import { gone, readStamp, type Stamped } from "./peer.ts";
import { refusalOf } from "./refusal.ts";
import type { GuardRequest } from "./request.ts";
import { isDenied, type Verdict, verdict } from "./verdict.ts";

export interface ProxyOptions {
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((request: NextRequest) => Identified) | undefined;
  /** The app's own proxy, for requests that may pass. */
  readonly proxy?:
    | ((
        request: NextRequest,
        event: NextFetchEvent,
        verdict: Verdict,
      ) => Response | undefined | Promise<Response | undefined>)
    | undefined;
  /** Reads the client's address where the platform gives it other than by the socket. A client that can send what it reads can claim any address. */
  readonly clientAddress?: ((request: NextRequest) => string | undefined) | undefined;
}

const early = verdict.unsure("unknown-client");

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
    // Its sender cannot be known any more. That is no reason to report the app as one that never stamps.
    if (stamped.isEarly && !options.clientAddress)
      return passed(await options.proxy?.(request, event, early), early);
    const asked = requestOf(guard, request, stamped, options);
    const known = options.identify && (await knownBy(() => options.identify?.(request)));
    const found = await guard.check(known ? { ...asked, ...known } : asked);
    if (isDenied(found)) {
      const { body, ...init } = refusalOf(found, request.headers.get("accept"));
      return new NextResponse(request.method === "HEAD" ? null : body, init);
    }
    const response = options.proxy && (await options.proxy(request, event, found));
    return passed(response, found);
  };
}

function passed(response: Response | undefined, { headers }: Verdict): Response {
  return response ? withHeaders(response, headers) : NextResponse.next({ headers });
}

/**
 * For `instrumentation.ts`; Next calls it once when the server starts. Without it the guard cannot know who is asking: Next
 * shows its proxy no socket, and a header alone is anyone's word.
 *
 * @param load loads the app's proxy, so that its guard connects before the first request, and a wrong setting ends the
 * process with one message. Next itself loads the proxy with the first request, and answers 500 from then on.
 * @example
 * import { register as start } from "sluice/next";
 *
 * export async function register() {
 *   if (process.env.NEXT_RUNTIME !== "edge") await start(() => import("./proxy"));
 * }
 * @example
 * export { register } from "sluice/next";
 */
export async function register(load?: () => Promise<unknown>): Promise<void> {
  // Next replaces the name when it compiles. The stamp needs Node, and webpack in development follows an import unless it
  // is inside a branch that is never taken: a return before it is not enough.
  if (process.env.NEXT_RUNTIME !== "edge") {
    const [{ stampPeers }, { loadOrExit }] = await Promise.all([
      import("./stamp.ts"),
      import("./startup.ts"),
    ]);
    stampPeers();
    if (load) await loadOrExit(load);
  }
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
