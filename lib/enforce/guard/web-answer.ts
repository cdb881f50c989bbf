import { answerHead, answerOf, besideEarlier, type OwnBody, refusalOf } from "./refusal.ts";
import type { Verdict } from "./verdict.ts";

/** The app's own answer to a denied request, in frameworks whose answers are `Response`. */
export type OwnResponse<Given extends readonly unknown[]> =
  | OwnBody
  | ((verdict: Verdict, ...given: Given) => Response | undefined | Promise<Response | undefined>);

/** The answer to a denied request: the app's own, if it gives one. */
export async function answerTo<Given extends readonly unknown[]>(
  verdict: Verdict,
  request: Request,
  onDenied: OwnResponse<Given> | undefined,
  ...given: Given
): Promise<Response> {
  const own = typeof onDenied === "function" ? await answerOf(() => onDenied(verdict, ...given)) : undefined;
  if (own) return withHeaders(own, answerHead(verdict).headers);
  const { body, ...init } = refusalOf(verdict, request.headers.get("accept"), onDenied);
  return new Response(request.method === "HEAD" ? null : body, init);
}

/** A copy where the headers cannot be set: those of `fetch` and of `Response.redirect`. */
export function withHeaders(response: Response, headers: Verdict["headers"]): Response {
  const all = Object.entries(besideEarlier(headers, (name) => response.headers.get(name)));
  try {
    for (const [name, value] of all) response.headers.set(name, value);
    return response;
  } catch {
    const copy = new Response(response.body, response);
    for (const [name, value] of all) copy.headers.set(name, value);
    return copy;
  }
}
