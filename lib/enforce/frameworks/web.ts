import type { Ip } from "../../ip/parse.ts";
import type { Guard } from "../guard/guard.ts";
import { type Identified, knownBy } from "../guard/identify.ts";
import type { Limit } from "../guard/limit.ts";
import { settleAround } from "../guard/open-verdicts.ts";
import type { GuardRequest } from "../guard/request.ts";
import { asLimit, type RouteTerms, routeLimit } from "../guard/route-limit.ts";
import { isDenied, type Verdict } from "../guard/verdict.ts";
import { answerTo, type OwnResponse, withHeaders } from "../guard/web-answer.ts";

export { settle } from "../guard/open-verdicts.ts";

/** `Context` is what the framework knows of a request beside the `Request` itself. */
export interface WebOptions<Context> {
  /**
   * The address at the other end of the connection, or the client's where the platform knows it: no `Request` has it. Whose
   * X-Forwarded-For is believed is for `trustedProxies` of the guard to say.
   */
  readonly peer: (request: Request, context: Context) => string | null | undefined;
  /** What this app knows of a request beyond its address: user, customer, cost. If it throws, the request is anonymous. */
  readonly identify?: ((request: Request, context: Context) => Identified) | undefined;
  /**
   * Answers a denied request in place of Sluice: a text, an object for JSON, or a function. The headers of the verdict are added. If the
   * function returns no response, Sluice answers.
   */
  readonly onDenied?: OwnResponse<readonly [request: Request, context: Context]> | undefined;
}

export type WebLimitOptions<Context> = RouteTerms<readonly [request: Request, context: Context]> &
  Pick<WebOptions<Context>, "peer" | "onDenied">;

/** Answers a request: denied ones itself, the others by `next`. */
export type Gate<Context> = (
  request: Request,
  next: () => Response | Promise<Response>,
  context: Context,
) => Promise<Response>;

/**
 * For every framework whose requests are `Request` and whose answers are `Response`.
 *
 * @example
 * // Bun
 * const gate = createGate(guard, { peer: (request, server: Server) => server.requestIP(request)?.address });
 * Bun.serve({ fetch: (request, server) => gate(request, () => app.fetch(request), server) });
 * @example
 * // SvelteKit
 * const gate = createGate(guard, { peer: (_, event: RequestEvent) => event.getClientAddress() });
 * export const handle = ({ event, resolve }) => gate(event.request, () => resolve(event), event);
 */
export function createGate<Context>(guard: Guard, options: WebOptions<Context>): Gate<Context> {
  const { identify, peer, onDenied } = options;
  return gateOf(
    (request, context) =>
      judgeWeb(guard, request, peer(request, context) ?? undefined, () => identify?.(request, context)),
    onDenied,
  );
}

/**
 * A gate that counts requests by a limit of its own, as `guard.limit` does: by the client's address unless `key` names another.
 * Safelisted clients pass uncounted; the blocklist and the policy are for `createGate`. What it returns is the limit, too.
 *
 * @example
 * const perUser = limit(guard, "export", { limit: 10, periodSeconds: 60, key: userOf, peer });
 * export const POST = ({ request, ...event }) => perUser(request, () => startExport(request), event);
 */
export function limit<Context>(
  guard: Guard,
  name: string,
  { peer, onDenied, ...terms }: WebLimitOptions<Context>,
): Gate<Context> & Limit {
  const route = routeLimit(guard, name, terms);
  const judgeRoute = (request: Request, context: Context) =>
    route.judge(addressOf(guard, request, peer(request, context) ?? undefined), request, context);
  return asLimit(gateOf(judgeRoute, onDenied), route.limit);
}

function gateOf<Context>(
  judgeRequest: (request: Request, context: Context) => Promise<Verdict>,
  onDenied: WebOptions<Context>["onDenied"],
): Gate<Context> {
  return async (request, next, context) => {
    const verdict = await judgeRequest(request, context);
    if (isDenied(verdict)) return answerTo(verdict, request, onDenied, request, context);
    return withHeaders(await settleAround(verdict, request, next), verdict.headers);
  };
}

/** The verdict for a `Request`. */
export async function judgeWeb(
  guard: Guard,
  request: Request,
  peer: string | undefined,
  identify: () => Identified,
): Promise<Verdict> {
  const known = await knownBy(identify);
  return guard.check({ ...requestOf(guard, request, peer), ...known });
}

/** The client's address. */
export function addressOf(guard: Guard, { headers }: Request, peer: string | undefined): Ip | undefined {
  return guard.clientAddress(peer, headers.get("x-forwarded-for"));
}

function requestOf(guard: Guard, request: Request, peer: string | undefined): GuardRequest {
  const { url, method, headers } = request;
  const { host, pathname } = new URL(url);
  return {
    ip: addressOf(guard, request, peer),
    method,
    host: headers.get("host") ?? host,
    path: pathname,
    headers,
  };
}
