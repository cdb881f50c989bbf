import { clientAddress, type Trust } from "../../ip/client-address.ts";
import type { Ip } from "../../ip/parse.ts";
import { withoutHost } from "../policy/request.ts";
import type { GuardRequest } from "./request.ts";

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

/** Means the proxy itself. It is no client's address, so as an answer it means that the proxy named no client. */
const asker = "::";

/**
 * The client's address as the asking proxy reports it. The proxy has sent a secret, so its own entry in `X-Forwarded-For` is
 * believed. Entries to the left of it are believed as far as the trusted ranges go, or for the hops that the proxy's question
 * names. The console's own hop count does not apply: it describes the proxies in front of the console.
 */
export function forwardedClient(
  forwardedFor: string | null,
  { ranges }: Pick<Trust, "ranges">,
  hops = 1,
): Ip | undefined {
  const client = clientAddress(asker, forwardedFor, { ranges, hops });
  return client === asker ? undefined : client;
}

/** Without the query, and with dot segments resolved, as an app of Next shows its path to the guard. */
function pathOf(target: string): string {
  // The base keeps a path that begins with two slashes from being taken for a host.
  return target.startsWith("/") ? new URL(`http://host${target}`).pathname : "/";
}
