import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type IncomingMessage, ServerResponse } from "node:http";
import { Server, type Socket } from "node:net";
import { peerHeader, peerOf, stamp } from "./peer.ts";
import { noteNextVersion } from "./version.ts";

/** Every way in which a server hands a request over. Node's diagnostics channel tells of the first alone. */
const requests = new Set(["request", "upgrade", "connect", "checkContinue", "checkExpectation"]);

/**
 * Next shows its proxy no socket, keeps whatever X-Forwarded-For a client sent, and resolves the path. So the socket's
 * address and the target as it was sent are put on each request of this process before Next sees it, over any header of
 * that name that came with it. A forwarded Server Action keeps the address of its first request.
 */
export function stampPeers(): void {
  const ours = stamp();
  if (ours.word !== "") return;
  ours.word = `${randomBytes(16).toString("hex")} `;
  ours.sinceMs = performance.now();
  // Only Next needs the stamp, so this process is one that Next runs.
  noteNextVersion();
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]) {
    // Node keeps an address once it was asked for, so a client that hangs up later is still known.
    if (event === "connection") void (args[0] as Socket).remoteAddress;
    else if (typeof event === "string" && requests.has(event)) mark(args[0] as IncomingMessage, args[1]);
    return Reflect.apply(emit, this, [event, ...args]);
  };
}

/** Carries the client of a Server Action through the request by which Next forwards the action to another page. */
const actionHeader = "x-sluice-action";
const actionKey = randomBytes(32);

function mark(request: IncomingMessage, response: unknown): void {
  const { headers } = request;
  const { word, responses } = stamp();
  // An upgrade has a socket instead.
  const number = response instanceof ServerResponse ? responses.add(response) : 0;
  const peer = forwardedPeer(request) ?? peerOf(request.socket);
  headers[peerHeader] = `${word}${peer} ${number} ${request.url ?? ""}`;
  delete headers[actionHeader];
  if (headers["next-action"] !== undefined) headers[actionHeader] = sealed(peer);
}

/**
 * The client of a forwarded Server Action. Next forwards by a fetch of its own with the headers of the first request, and
 * its socket leads to this machine. The seal is of this process and of one client, so a client can at most pass for itself.
 */
function forwardedPeer({ headers }: IncomingMessage): string | undefined {
  const value = headers[actionHeader];
  if (headers["x-action-forwarded"] === undefined || typeof value !== "string") return undefined;
  const [peer = ""] = value.split(" ", 1);
  const wanted = Buffer.from(sealed(peer));
  const given = Buffer.from(value);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? peer : undefined;
}

/** Sent by Next in this process, for an action that it forwards to the page that has it. */
export function isForwardedAction(request: IncomingMessage): boolean {
  return forwardedPeer(request) !== undefined;
}

const sealed = (peer: string): string =>
  `${peer} ${createHmac("sha256", actionKey).update(peer).digest("base64url")}`;
