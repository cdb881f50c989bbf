import type { ServerResponse } from "node:http";
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
export const stamp = () =>
  oncePerProcess("peer-stamp", () => ({ word: "", sinceMs: 0, responses: new RecentResponses() }));

/** A request beyond so many later ones gets its headers by way of Next. */
const mostResponses = 4_096;

/** The responses of recent requests, by number. A response that has ended is not kept from the garbage collector. */
class RecentResponses {
  readonly #places: (WeakRef<ServerResponse> | undefined)[] = [];
  #last = 0;

  add(response: ServerResponse): number {
    this.#last++;
    this.#places[this.#last % mostResponses] = new WeakRef(response);
    return this.#last;
  }

  get(number: number): ServerResponse | undefined {
    const isRecent = number > this.#last - mostResponses && number <= this.#last;
    return isRecent ? this.#places[number % mostResponses]?.deref() : undefined;
  }
}

/** Next holds requests until it has started. Where it compiles first, that takes a while. */
const startingMs = 60_000;

export interface Stamped {
  /** Nothing in a process that does not stamp: there the header would be the client's own word. */
  readonly peer?: string;
  /** What was asked for, as it was sent. */
  readonly target?: string;
  /** What the request is answered with. Undefined for one that has no HTTP response, and where it is long ago. */
  readonly response?: ServerResponse | undefined;
  /** The request reached the process just before it began to stamp. */
  readonly isEarly?: boolean;
}

/** What the process' own stamp says of a request. */
export function readStamp(headers: Headers): Stamped {
  const { word, sinceMs, responses } = stamp();
  if (word === "") return {};
  const value = headers.get(peerHeader);
  if (value === null) return { isEarly: performance.now() - sinceMs < startingMs };
  if (!value.startsWith(word)) return {};
  const [peer = "", number] = value.slice(word.length).split(" ", 2);
  if (number === undefined) return { peer };
  return {
    peer,
    target: value.slice(word.length + peer.length + number.length + 2),
    response: responses.get(Number(number)),
  };
}
