import type { IncomingMessage, ServerResponse } from "node:http";
import { withoutHost } from "../policy/request.ts";
import type { Guard, GuardRequest } from "./guard.ts";
import { type Known, knownBy } from "./identify.ts";
import { gone, peerOf } from "./peer.ts";
import { refusalOf } from "./refusal.ts";
import { isDenied } from "./verdict.ts";

export interface NodeOptions {
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: (request: IncomingMessage) => Known | Promise<Known>;
}

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/**
 * Middleware for Node's own server, Express, Connect and their kin.
 *
 * @example
 * app.use(createMiddleware(guard));
 */
export function createMiddleware(guard: Guard, options: NodeOptions = {}): Middleware {
  return async (request, response, next) => {
    const peer = peerOf(request.socket);
    if (peer === gone) return void request.destroy();
    const known = await knownBy(() => options.identify?.(request));
    const verdict = await guard.check({ ...requestOf(guard, request, peer), ...known });
    if (!isDenied(verdict)) {
      for (const [name, value] of Object.entries(verdict.headers)) response.setHeader(name, value);
      return next();
    }
    const { status, headers, body } = refusalOf(verdict, request.headers.accept);
    response.writeHead(status, headers);
    response.end(request.method === "HEAD" ? undefined : body);
  };
}

/** Express cuts a mount off `url`; a request line may name its target in full. */
function pathOf(request: IncomingMessage & { originalUrl?: string }): string {
  const path = withoutHost(request.originalUrl ?? request.url ?? "/");
  return path.startsWith("/") ? path : "/";
}

function requestOf(guard: Guard, request: IncomingMessage, peer: string): GuardRequest {
  const forwardedFor = request.headers["x-forwarded-for"];
  return {
    ip: guard.clientAddress(peer, Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor),
    method: request.method ?? "GET",
    host: request.headers.host ?? "",
    path: pathOf(request),
    headers: request.headers,
  };
}
