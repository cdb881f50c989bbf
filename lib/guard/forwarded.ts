import { clientAddress, type Trust } from "../ip/client-address.ts";
import type { Ip } from "../ip/parse.ts";
import { withoutHost } from "../policy/request.ts";
import type { GuardRequest } from "./guard.ts";

/** How a proxy tells of the request it asks about: nginx by `X-Original-URI`, Traefik and Caddy by `X-Forwarded-Uri`. */
export type ForwardedForm = "original" | "forwarded";

const names = {
  original: { uri: "x-original-uri", method: "x-original-method", host: "x-original-host" },
  forwarded: { uri: "x-forwarded-uri", method: "x-forwarded-method", host: "x-forwarded-host" },
} as const satisfies Record<ForwardedForm, object>;

/**
 * The request a proxy asks about. A proxy writes the headers of its own form and passes those of the other on as the
 * client sent them, so the form it is known to write wins, and the two are never mixed.
 *
 * @example
 * forwardedRequest(new Headers({ "x-forwarded-uri": "/cart?id=1", "x-forwarded-method": "POST" }), "forwarded")
 * // { path: "/cart", method: "POST", … }
 */
export function forwardedRequest(headers: Headers, expected: ForwardedForm): Omit<GuardRequest, "ip"> {
  const other = expected === "original" ? "forwarded" : "original";
  const form = headers.has(names[expected].uri) || !headers.has(names[other].uri) ? expected : other;
  const uri = headers.get(names[form].uri);
  const target = uri === null ? undefined : withoutHost(uri);
  return {
    method: headers.get(names[form].method) ?? "GET",
    host: headers.get(names[form].host) ?? headers.get("host") ?? "",
    headers,
    ...(target !== undefined && { path: pathOf(target) }),
    ...(target?.startsWith("/") && { target }),
  };
}

/** Stands for the proxy that asks. It is the address of nobody, so as an answer it means that the proxy told of none. */
const asker = "::";

/**
 * The client's address as the proxy tells it, which has shown a secret and is believed. What stands to the left of
 * it in `X-Forwarded-For` is believed as far as the console's own trusted proxies go.
 */
export function forwardedClient(forwardedFor: string | null, trust: Trust): Ip | undefined {
  const client = clientAddress(asker, forwardedFor, { ...trust, hops: Math.max(1, trust.hops) });
  return client === asker ? undefined : client;
}

/** Without the query, and with dot segments resolved, as an app of Next shows its path to the guard. */
function pathOf(target: string): string {
  // The base keeps a path that begins with two slashes from being taken for a host.
  return target.startsWith("/") ? new URL(`http://host${target}`).pathname : "/";
}
