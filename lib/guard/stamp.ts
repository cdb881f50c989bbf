import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { peerHeader, stamping } from "./peer.ts";

/**
 * Next shows its proxy no socket, and keeps whatever X-Forwarded-For a client sent. So the socket's address is put on
 * each request of this process before Next sees it, over any header of that name that came with it.
 */
export function stampPeers(): void {
  const state = stamping();
  if (state.isOn) return;
  state.isOn = true;
  subscribe("http.server.request.start", (message) =>
    stamp((message as { request: IncomingMessage }).request),
  );
}

function stamp({ headers, socket }: IncomingMessage): void {
  if (socket.remoteAddress === undefined) delete headers[peerHeader];
  else headers[peerHeader] = socket.remoteAddress;
}
