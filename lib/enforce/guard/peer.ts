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
  oncePerProcess("peer-stamp", () => ({ word: "", sinceMs: 0, responses: new OpenResponses() }));

/** The responses of requests under way, by number. */
class OpenResponses {
  readonly #open = new Map<number, ServerResponse>();
  #last = 0;
  #lastSocket: Socket | null = null;
  #isOfOneSocket = false;

  /** How many there are, and some that have ended lately. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Requests come on one connection, one after the other. Where they come on several, Next may answer each before the next one is read:
   * the number of responses alone does not tell.
   */
  get isOne(): boolean {
    return this.#isOfOneSocket && this.#open.size === 1;
  }

  add(response: ServerResponse): number {
    this.#forgetEnded();
    this.#isOfOneSocket = response.socket === this.#lastSocket;
    this.#lastSocket = response.socket;
    this.#last++;
    this.#open.set(this.#last, response);
    return this.#last;
  }

  get(number: number): ServerResponse | undefined {
    return this.#open.get(number);
  }

  /** Looks at two for each that comes, so those that have ended stay few. A response that goes on for long gets in line again. */
  #forgetEnded(): void {
    let seen = 0;
    for (const [number, response] of this.#open) {
      if (seen++ === 2) return;
      this.#open.delete(number);
      if (!response.writableEnded && !response.destroyed) this.#open.set(number, response);
    }
  }
}

/** Next holds requests until it has started. Where it compiles first, that takes a while. */
const startingMs = 60_000;

export interface Stamped {
  /** Nothing in a process that does not stamp: there the header would be the client's own word. */
  readonly peer?: string;
  /** What was asked for, as it was sent. */
  readonly target?: string;
  /** What the request is answered with. Undefined for one that has no HTTP response. */
  readonly response?: ServerResponse | undefined;
  /** No other request is under way in this process, and the last one came on the same connection. */
  readonly isAlone?: boolean;
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
    isAlone: responses.isOne,
  };
}
