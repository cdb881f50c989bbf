import { type NextFetchEvent, type NextRequest, NextResponse } from "next/server.js";
import { isServerAction } from "../policy/request.ts";
import type { Guard } from "./guard.ts";
import { type Identified, knownBy } from "./identify.ts";
import { keepVerdict, settleHeader } from "./next-settle.ts";
import { canSettle } from "./open-verdicts.ts";
import { gone, readStamp, type Stamped } from "./peer.ts";
import { answerHead, answerOf, refusalOf } from "./refusal.ts";
import type { GuardRequest } from "./request.ts";
import { isDenied, type Verdict, verdict } from "./verdict.ts";
import type { OwnResponse } from "./web-answer.ts";

export { type LimitedRoute, limit, type NextLimitOptions } from "./next-limit.ts";
export { settle } from "./next-settle.ts";

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
  /**
   * Answers a denied request in place of Sluice: a text, an object for JSON, or a function, which returns a page of the app, by
   * `NextResponse.rewrite`, or any other response. It gets the headers of the verdict, a page its status, too. Without a response, Sluice
   * answers.
   *
   * A denied Server Action is never rewritten, because Next could run it on the other page. It throws an error whose message is "Too Many Requests. …
   * Try again in 12 s.", or the body of your response, if that has a status from 400 on and exactly the type `text/plain`. Show it
   * where the app calls the action, or in an `error.tsx`.
   *
   * @example
   * onDenied: ({ retryAfterSeconds }, request) =>
   *   NextResponse.rewrite(new URL(`/too-many-requests?wait=${retryAfterSeconds}`, request.url))
   */
  readonly onDenied?: OwnResponse<readonly [request: NextRequest, event: NextFetchEvent]> | undefined;
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
      return passed(request, await options.proxy?.(request, event, early), early);
    const asked = requestOf(guard, request, stamped, options);
    const known = options.identify && (await knownBy(() => options.identify?.(request)));
    const found = await guard.check(known ? { ...asked, ...known } : asked);
    if (isDenied(found)) {
      const { onDenied } = options;
      const own =
        typeof onDenied === "function" ? await answerOf(() => onDenied(found, request, event)) : undefined;
      if (own && !isRewrite(own)) return withHeaders(own, answerHead(found).headers);
      if (own && !isServerAction(asked, request.method)) return rewritten(own, found);
      const { body, ...init } = refusalOf(found, request.headers.get("accept"), onDenied);
      return new NextResponse(request.method === "HEAD" ? null : body, init);
    }
    if (!stamped.isAlone) await endOfTurn();
    const response = options.proxy && (await options.proxy(request, event, found));
    if (response || canSettle(found)) return passed(request, response, found);
    return next(stamped.response, found.headers);
  };
}

let turn: Promise<void> | undefined;

/**
 * Requests that came in one turn of the event loop go on together: with many of them Next takes a third less time for each, and
 * the wait is shorter than that.
 */
function endOfTurn(): Promise<void> {
  turn ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    turn = undefined;
  });
  return turn;
}

/**
 * Sets headers on the response itself where it is known: those of a proxy's response Next copies several times, onto the request
 * of the route, too.
 */
function next(response: Stamped["response"], headers: Verdict["headers"]): Response {
  if (!response || response.headersSent) return NextResponse.next({ headers });
  for (const name of Object.keys(headers)) response.setHeader(name, headers[name] ?? "");
  return NextResponse.next();
}

async function passed(request: NextRequest, given: Response | undefined, found: Verdict): Promise<Response> {
  const response = await passOn(request, given, found);
  return response ? withHeaders(response, found.headers) : NextResponse.next({ headers: found.headers });
}

/** The response of a proxy, through which the route finds the verdict of its request. A response that ends the request settles it. */
async function passOn(
  request: NextRequest,
  response: Response | undefined,
  verdict: Verdict,
): Promise<Response | undefined> {
  if (!canSettle(verdict)) return response;
  if (response && !goesOn(response)) {
    await verdict.settle({ status: response.status });
    return response;
  }
  const headers = new Headers(request.headers);
  const reference = keepVerdict(verdict);
  headers.set(settleHeader, reference);
  const carrying = NextResponse.next({ request: { headers } });
  if (!response) return carrying;
  const copy = new NextResponse(response.body, response);
  const own = response.headers.get(overridden);
  copy.headers.set(
    overridden,
    own === null ? (carrying.headers.get(overridden) ?? "") : `${own},${settleHeader}`,
  );
  for (const [name, value] of carrying.headers)
    if (name.startsWith(ofRequest) && (own === null || name === ofRequest + settleHeader))
      copy.headers.set(name, value);
  return copy;
}

/** How a proxy changes the headers that the route sees: all of their names, and the value of each. */
const overridden = "x-middleware-override-headers";
const ofRequest = "x-middleware-request-";

function goesOn({ headers }: Response): boolean {
  return headers.has("x-middleware-next") || headers.has("x-middleware-rewrite");
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
    const [{ stampPeers }, { joinWrites }, { loadOrExit }] = await Promise.all([
      import("./stamp.ts"),
      import("./join-writes.ts"),
      import("./startup.ts"),
    ]);
    stampPeers();
    joinWrites();
    if (load) await loadOrExit(load);
  }
}

const isRewrite = ({ headers }: Response) => headers.has("x-middleware-rewrite");

/** A page of the app, with the status of the verdict unless the app chose one. */
function rewritten(page: Response, verdict: Verdict): Response {
  const status = page.status === 200 ? verdict.status : page.status;
  const { headers } = answerHead(verdict);
  return withHeaders(new NextResponse(page.body, { status, headers: page.headers }), headers);
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
