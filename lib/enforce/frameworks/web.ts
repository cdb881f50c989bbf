import type { Guard } from "../guard/guard.ts";
import { type Identified, knownBy } from "../guard/identify.ts";
import { settleAround } from "../guard/open-verdicts.ts";
import { answerHead, answerOf, refusalOf } from "../guard/refusal.ts";
import type { GuardRequest } from "../guard/request.ts";
import { isDenied, type Verdict } from "../guard/verdict.ts";

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
  /** Answers a denied request in place of Sluice; the headers of the verdict are added. Without a response, Sluice answers. */
  readonly onDenied?:
    | ((
        verdict: Verdict,
        request: Request,
        context: Context,
      ) => Response | undefined | Promise<Response | undefined>)
    | undefined;
}

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
  return async (request, next, context) => {
    const verdict = await judgeWeb(guard, request, options.peer(request, context) ?? undefined, () =>
      options.identify?.(request, context),
    );
    if (!isDenied(verdict)) return withHeaders(await settleAround(verdict, request, next), verdict.headers);
    const { onDenied } = options;
    return answerTo(verdict, request, onDenied && (() => onDenied(verdict, request, context)));
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

/** The answer to a denied request: the app's own, if it gives one. */
export async function answerTo(
  verdict: Verdict,
  request: Request,
  onDenied: (() => Response | undefined | Promise<Response | undefined>) | undefined,
): Promise<Response> {
  const own = onDenied && (await answerOf(onDenied));
  if (own) return withHeaders(own, answerHead(verdict).headers);
  const { body, ...init } = refusalOf(verdict, request.headers.get("accept"));
  return new Response(request.method === "HEAD" ? null : body, init);
}

/** A copy where the headers cannot be set: those of `fetch` and of `Response.redirect`. */
function withHeaders(response: Response, headers: Verdict["headers"]): Response {
  const names = Object.entries(headers);
  try {
    for (const [name, value] of names) response.headers.set(name, value);
    return response;
  } catch {
    const copy = new Response(response.body, response);
    for (const [name, value] of names) copy.headers.set(name, value);
    return copy;
  }
}

function requestOf(guard: Guard, { url, method, headers }: Request, peer: string | undefined): GuardRequest {
  const { host, pathname } = new URL(url);
  return {
    ip: guard.clientAddress(peer, headers.get("x-forwarded-for")),
    method,
    host: headers.get("host") ?? host,
    path: pathname,
    headers,
  };
}
