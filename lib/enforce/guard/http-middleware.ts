import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { errorLineWithStack } from "../../errors.ts";
import type { Ip } from "../../ip/parse.ts";
import { withoutHost } from "../policy/request.ts";
import type { Guard } from "./guard.ts";
import { type Identified, knownBy } from "./identify.ts";
import type { Limit } from "./limit.ts";
import { settleOnClose, settleWithSocket } from "./open-verdicts.ts";
import { gone, peerOf } from "./peer.ts";
import {
  answerHead,
  besideEarlier,
  type DenialAnswer,
  didAnswer,
  type OwnBody,
  refusalOf,
} from "./refusal.ts";
import type { GuardRequest } from "./request.ts";
import { asLimit, type RouteTerms, routeLimit } from "./route-limit.ts";
import { isDenied, type Verdict } from "./verdict.ts";

export { settle } from "./open-verdicts.ts";

/** `Incoming` and `Outgoing` are the framework's own request and response, such as Express'. */
export interface NodeOptions<
  Incoming extends IncomingMessage = IncomingMessage,
  Outgoing extends ServerResponse = ServerResponse,
> {
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((request: Incoming) => Identified) | undefined;
  /**
   * Answers a denied request in place of Sluice: a text, an object for JSON, or a function, for which the status and the headers of the
   * verdict are set already.
   */
  readonly onDenied?:
    | OwnBody
    | ((verdict: Verdict, request: Incoming, response: Outgoing) => unknown)
    | undefined;
}

export type NodeLimitOptions<
  Incoming extends IncomingMessage = IncomingMessage,
  Outgoing extends ServerResponse = ServerResponse,
> = RouteTerms<readonly [request: Incoming]> & Pick<NodeOptions<Incoming, Outgoing>, "onDenied">;

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

type Middleware<Incoming extends IncomingMessage, Outgoing extends ServerResponse> = (
  request: Incoming,
  response: Outgoing,
  next: (error?: unknown) => unknown,
) => Promise<void>;

/**
 * Middleware for Node's own server, Express, Connect and their kin.
 *
 * @example
 * app.use(createMiddleware(guard, { identify: (request: express.Request) => ({ customerId: request.user?.id }) }));
 */
export function createMiddleware<
  Incoming extends IncomingMessage = IncomingMessage,
  Outgoing extends ServerResponse = ServerResponse,
>(
  guard: Guard,
  { identify, onDenied }: NodeOptions<Incoming, Outgoing> = {},
): Middleware<Incoming, Outgoing> {
  return middlewareOf((request, peer) => judge(guard, request, peer, () => identify?.(request)), onDenied);
}

/**
 * Middleware that counts the requests of a route by a limit of its own, as `guard.limit` does: by the client's address unless `key` names
 * another. Safelisted clients pass uncounted; the blocklist and the policy are for `createMiddleware`. What it returns is the limit, too.
 *
 * @example
 * const protect = limit(guard, "login", { limit: 5, periodSeconds: 60, countWhen: { status: [401] } });
 */
export function limit<
  Incoming extends IncomingMessage = IncomingMessage,
  Outgoing extends ServerResponse = ServerResponse,
>(
  guard: Guard,
  name: string,
  { onDenied, ...terms }: NodeLimitOptions<Incoming, Outgoing>,
): Middleware<Incoming, Outgoing> & Limit {
  const route = routeLimit(guard, name, terms);
  const judgeRoute = (request: Incoming, peer: string) =>
    route.judge(addressOf(guard, request, peer), request);
  return asLimit(middlewareOf(judgeRoute, onDenied), route.limit);
}

function middlewareOf<Incoming extends IncomingMessage, Outgoing extends ServerResponse>(
  judgeRequest: (request: Incoming, peer: string) => Promise<Verdict>,
  onDenied: NodeOptions<Incoming, Outgoing>["onDenied"],
): Middleware<Incoming, Outgoing> {
  return async (request, response, next) => {
    const peer = peerOf(request.socket);
    if (peer === gone) return void request.destroy();
    const verdict = await judgeRequest(request, peer).catch(asError);
    // A rejection would end the process: Express 4 and Fastify's `void` never look at the promise.
    if (verdict instanceof Error) return void (await next(verdict));
    if (!isDenied(verdict)) {
      setHeaders(response, verdict.headers);
      settleOnClose(verdict, request, response);
      // Of Koa and Hono a promise.
      return void (await next());
    }
    const isOwn = typeof onDenied === "function";
    if (isOwn && (await didAnswer(() => answerBy(onDenied, verdict, request, response)))) return;
    if (response.headersSent) return void response.destroy();
    const { status, headers, body } = refusalOf(verdict, request.headers.accept, onDenied);
    response.statusCode = status;
    setHeaders(response, headers);
    response.end(request.method === "HEAD" ? undefined : body);
  };
}

function answerBy<Incoming extends IncomingMessage, Outgoing extends ServerResponse>(
  onDenied: (verdict: Verdict, request: Incoming, response: Outgoing) => unknown,
  verdict: Verdict,
  request: Incoming,
  response: Outgoing,
): unknown {
  const { status, headers } = answerHead(verdict);
  response.statusCode = status;
  setHeaders(response, headers);
  return onDenied(verdict, request, response);
}

function setHeaders(response: ServerResponse, headers: Verdict["headers"]): void {
  const all = besideEarlier(headers, (name) => response.getHeader(name));
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
}

/**
 * A listener for upgrades, which pass middleware by: WebSocket handshakes of `ws`, Socket.IO and the like.
 *
 * @example
 * server.on("upgrade", createUpgradeListener(guard, (request, socket, head) => {
 *   wss.handleUpgrade(request, socket, head, (client) => wss.emit("connection", client, request));
 * }));
 */
export function createUpgradeListener(
  guard: Guard,
  upgrade: UpgradeListener,
  options: NodeOptions = {},
): UpgradeListener {
  async function decide(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const peer = peerOf(request.socket);
    if (peer === gone) return void socket.destroy();
    const verdict = await judge(guard, request, peer, () => options.identify?.(request));
    if (socket.destroyed) return void verdict.settle({ failed: true });
    settleWithSocket(verdict, request, socket);
    if (isDenied(verdict)) return void socket.end(refusalText(refusalOf(verdict, request.headers.accept)));
    socket.off("error", ignore);
    // Errors of the app's own listener are the app's: they do not reject here.
    process.nextTick(upgrade, request, socket, head);
  }

  return (request, socket, head) => {
    // Node takes its own listener away before it hands the socket over, and an error without one ends the process.
    socket.on("error", ignore);
    decide(request, socket, head).catch((error: unknown) => {
      console.warn(`sluice: an upgrade failed: ${errorLineWithStack(error)}`);
      socket.destroy();
    });
  };
}

/** The verdict for a request of Node's own server. */
export async function judge(
  guard: Guard,
  request: IncomingMessage,
  peer: string,
  identify: () => Identified,
): Promise<Verdict> {
  const known = await knownBy(identify);
  return guard.check({ ...requestOf(guard, request, peer), ...known });
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

const ignore = () => {};

/** Without a response object the answer is written as it goes over the wire. */
function refusalText({ status, headers, body }: DenialAnswer): string {
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "content-length": Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", body].join("\r\n");
}

/** Express cuts a mount off `url`; a request line may name its target in full. */
function pathOf(request: IncomingMessage & { originalUrl?: string }): string {
  const path = withoutHost(request.originalUrl ?? request.url ?? "/");
  return path.startsWith("/") ? path : "/";
}

/** The client's address. */
export function addressOf(guard: Guard, { headers }: IncomingMessage, peer: string): Ip | undefined {
  const forwardedFor = headers["x-forwarded-for"];
  return guard.clientAddress(peer, Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor);
}

function requestOf(guard: Guard, request: IncomingMessage, peer: string): GuardRequest {
  return {
    ip: addressOf(guard, request, peer),
    method: request.method ?? "GET",
    host: request.headers.host ?? "",
    path: pathOf(request),
    headers: request.headers,
  };
}
