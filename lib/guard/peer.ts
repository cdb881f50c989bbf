import type { Socket } from "node:net";
import { atHome } from "../redis/home.ts";

/** Carries the socket's address from the stamp to the proxy. */
export const peerHeader = "x-sluice-peer";

/** Told of a peer that hung up before it could be seen: nobody waits for the answer, so nothing need be done for it. */
export const gone = "gone";

/** Where the socket leads, `gone`, or nothing known. A Unix socket leads to this machine. */
export function peerOf({ remoteAddress, server }: Socket & { server?: { address(): unknown } }): string {
  if (remoteAddress !== undefined) return remoteAddress;
  return typeof server?.address() === "string" ? "127.0.0.1" : gone;
}

/** What this process puts before the address, so that a header that it did not write itself is never believed. */
export const stamp = () => atHome("peer-stamp", () => ({ word: "" }));

/** The peer's address, or nothing in a process that does not stamp: there the header would be the client's own word. */
export function stampedPeer(headers: Headers): string | undefined {
  const { word } = stamp();
  const value = headers.get(peerHeader);
  return word !== "" && value?.startsWith(word) ? value.slice(word.length) : undefined;
}
