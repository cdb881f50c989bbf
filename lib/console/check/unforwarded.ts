import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { oncePerProcess } from "../../redis/once-per-process.ts";

const header = "x-sluice-unforwarded";

/**
 * Next fills a missing X-Forwarded-For in with the socket's address before a route sees it, which would make the proxy
 * its own client. So requests that came without are marked first. Next loads its routes when it starts.
 */
export function markUnforwarded(): void {
  const state = oncePerProcess("unforwarded marks", () => ({ isOn: false }));
  if (state.isOn) return;
  state.isOn = true;
  subscribe("http.server.request.start", (message) =>
    mark((message as { request: IncomingMessage }).request),
  );
}

function mark({ headers }: IncomingMessage): void {
  if (headers["x-forwarded-for"] === undefined) headers[header] = "1";
  else delete headers[header];
}

/** The X-Forwarded-For that the caller sent. */
export function sentForwardedFor(headers: Headers): string | null {
  return headers.has(header) ? null : headers.get("x-forwarded-for");
}
