import type { Socket } from "node:net";
import { atHome } from "../redis/home.ts";

/** Carries the socket's address, and what was asked for, from the stamp to the proxy. */
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

export interface Stamped {
  /** Nothing in a process that does not stamp: there the header would be the client's own word. */
  readonly peer?: string;
  /** What was asked for, as it was sent. */
  readonly target?: string;
}

/** What the process' own stamp says of a request. */
export function readStamp(headers: Headers): Stamped {
  const { word } = stamp();
  const value = headers.get(peerHeader);
  if (word === "" || !value?.startsWith(word)) return {};
  const end = value.indexOf(" ", word.length);
  return end < 0
    ? { peer: value.slice(word.length) }
    : { peer: value.slice(word.length, end), target: value.slice(end + 1) };
}
