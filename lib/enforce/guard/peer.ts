import type { Socket } from "node:net";
import { oncePerProcess } from "../../redis/once-per-process.ts";

/** Carries the socket's address, and what was asked for, from the stamp to the proxy. */
export const peerHeader = "x-sluice-peer";

/** The address of a peer that hung up before it was read: no client waits for the answer. */
export const gone = "gone";

/** The other end of the socket, or `gone`. A Unix socket ends on this machine. */
export function peerOf({ remoteAddress, server }: Socket & { server?: { address(): unknown } }): string {
  if (remoteAddress !== undefined) return remoteAddress;
  return typeof server?.address() === "string" ? "127.0.0.1" : gone;
}

/** What this process puts before the address, so that a header that it did not write itself is never believed. */
export const stamp = () => oncePerProcess("peer-stamp", () => ({ word: "", sinceMs: 0 }));

/** Next holds requests until it has started. Where it compiles first, that takes a while. */
const startingMs = 60_000;

export interface Stamped {
  /** Nothing in a process that does not stamp: there the header would be the client's own word. */
  readonly peer?: string;
  /** What was asked for, as it was sent. */
  readonly target?: string;
  /** The request reached the process just before it began to stamp. */
  readonly isEarly?: boolean;
}

/** What the process' own stamp says of a request. */
export function readStamp(headers: Headers): Stamped {
  const { word, sinceMs } = stamp();
  if (word === "") return {};
  const value = headers.get(peerHeader);
  if (value === null) return { isEarly: performance.now() - sinceMs < startingMs };
  if (!value.startsWith(word)) return {};
  const end = value.indexOf(" ", word.length);
  return end < 0
    ? { peer: value.slice(word.length) }
    : { peer: value.slice(word.length, end), target: value.slice(end + 1) };
}
