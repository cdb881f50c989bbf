import type { Guard } from "./guard.ts";
import type { Limit } from "./limit.ts";
import { settleAround } from "./open-verdicts.ts";
import { gone, readStamp, type Stamped } from "./peer.ts";
import { besideEarlier, isQuotaHeader } from "./refusal.ts";
import { asLimit, type RouteTerms, routeLimit } from "./route-limit.ts";
import { isDenied, type Verdict } from "./verdict.ts";
import { answerTo, type OwnResponse, withHeaders } from "./web-answer.ts";

export type NextLimitOptions = RouteTerms<readonly [request: Request]> & {
  /**
   * Answers a denied request in place of Sluice: a text, an object for JSON, or a function. The headers of the verdict are added. If the
   * function returns no response, Sluice answers.
   */
  readonly onDenied?: OwnResponse<readonly [request: Request]> | undefined;
  /** Reads the client's address where the platform gives it other than by the socket. A client that can send what it reads can claim any address. */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined;
};

/** Wraps a route handler. */
export type LimitedRoute = <R extends Request, Context>(
  handler: (request: R, context: Context) => Response | Promise<Response>,
) => (request: R, context: Context) => Promise<Response>;

/**
 * Counts the requests of a route handler by a limit of its own, as `guard.limit` does: by the client's address, which `register` makes
 * known, unless `key` names another. It settles with the status of the handler's response. Safelisted clients pass uncounted; the
 * blocklist and the policy are for `createProxy`. What it returns is the limit, too.
 *
 * @example
 * // app/api/export/route.ts
 * const perUser = limit(guard, "export", { limit: 10, periodSeconds: 60, key: userOf });
 * export const POST = perUser(async (request) => Response.json(await startExport(request)));
 */
export function limit(
  guard: Guard,
  name: string,
  { onDenied, clientAddress, ...terms }: NextLimitOptions,
): LimitedRoute & Limit {
  const route = routeLimit(guard, name, terms);
  const addressOf = (request: Request, peer: string | undefined) =>
    clientAddress
      ? clientAddress(request)
      : guard.clientAddress(peer, request.headers.get("x-forwarded-for"));
  const limited: LimitedRoute = (handler) => async (request, context) => {
    const { peer, response } = readStamp(request.headers);
    if (peer === gone) return new Response(null, { status: 403 });
    const verdict = await route.judge(addressOf(request, peer), request);
    const answer = isDenied(verdict)
      ? await answerTo(verdict, request, onDenied, request)
      : withHeaders(await settleAround(verdict, request, () => handler(request, context)), verdict.headers);
    addToEarlier(response, verdict.headers);
    return answer;
  };
  return asLimit(limited, route.limit);
}

/** Next drops a header of the route's response that the proxy has set already: there the quotas of both go together. */
function addToEarlier(response: Stamped["response"], headers: Verdict["headers"]): void {
  if (!response || response.headersSent) return;
  const both = besideEarlier(headers, (name) => response.getHeader(name));
  for (const [name, value] of Object.entries(both))
    if (response.hasHeader(name) && isQuotaHeader(name)) response.setHeader(name, value);
}
