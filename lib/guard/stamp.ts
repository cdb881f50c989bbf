import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Server, type Socket } from "node:net";
import { peerHeader, peerOf, stamp } from "./peer.ts";

/** Every way in which a server hands a request over. Node's diagnostics channel tells of the first alone. */
const requests = new Set(["request", "upgrade", "connect", "checkContinue", "checkExpectation"]);

/**
 * Next shows its proxy no socket, keeps whatever X-Forwarded-For a client sent, and resolves the path. So the socket's
 * address and the target as it was sent are put on each request of this process before Next sees it, over any header of
 * that name that came with it.
 */
export function stampPeers(): void {
  const ours = stamp();
  if (ours.word !== "") return;
  ours.word = `${randomBytes(16).toString("hex")} `;
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]) {
    // Node keeps an address once it was asked for, so a client that hangs up later is still known.
    if (event === "connection") void (args[0] as Socket).remoteAddress;
    else if (typeof event === "string" && requests.has(event)) mark(args[0] as IncomingMessage, ours.word);
    return Reflect.apply(emit, this, [event, ...args]);
  };
}

function mark(request: IncomingMessage, word: string): void {
  request.headers[peerHeader] = `${word}${peerOf(request.socket)} ${request.url ?? ""}`;
}
