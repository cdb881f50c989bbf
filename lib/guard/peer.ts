import { atHome } from "../redis/home.ts";

/** Carries the socket's address from the stamp to the proxy. */
export const peerHeader = "x-sluice-peer";

export const stamping = () => atHome("peer-stamps", () => ({ isOn: false }));

/** The peer's address, or nothing in a process that does not stamp: there the header would be the client's own word. */
export function stampedPeer(headers: Headers): string | undefined {
  return stamping().isOn ? (headers.get(peerHeader) ?? undefined) : undefined;
}
