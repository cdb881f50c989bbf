import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "node:net";
import { decode } from "next-auth/jwt";
import { isForwardedAction } from "../enforce/guard/stamp.ts";
import { findToken } from "../manage/tokens/token.ts";
import { exceededLimit, isLong } from "../manage/users/body-limit.ts";
import { oncePerProcess } from "../redis/once-per-process.ts";
import { apiRoot, bearerOf } from "./api/bearer.ts";
import { theConsole } from "./console.ts";
import { sessionCookie } from "./session/cookies.ts";

/** In these ways Node hands over a request that may have a body. */
const requests = new Set(["request", "checkContinue", "checkExpectation"]);

/**
 * Answers 413 to long bodies before Next sees the request. Next keeps a body in memory, and waits for the whole of it, before
 * the answer of proxy.ts takes effect.
 */
export function refuseLongBodies(secret: string | undefined): void {
  const once = oncePerProcess("long bodies", () => ({ areRefused: false }));
  if (once.areRefused) return;
  once.areRefused = true;
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string | symbol, ...args: unknown[]) {
    const [request] = args as [IncomingMessage];
    const isAsked = typeof event === "string" && requests.has(event) && isLong(request);
    // Its first request was asked, and Next does not tell how long it is.
    if (!isAsked || isForwardedAction(request)) return Reflect.apply(emit, this, [event, ...args]);
    const [, response] = args as [IncomingMessage, ServerResponse];
    void pass({ request, response, secret }, () => Reflect.apply(emit, this, [event, ...args]));
    return true;
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly secret: string | undefined;
}

async function pass({ request, response, secret }: Exchange, next: () => void): Promise<void> {
  const { url: target = "", headers } = request;
  const isKnown = async () =>
    (await isOfUser(headers.cookie ?? "", secret)) || (await isOfToken(target, headers.authorization));
  const most = await exceededLimit({ target, headers }, isKnown);
  if (most === undefined) return next();
  // The connection ends, so that what is still on its way is not read either.
  response.writeHead(413, { connection: "close", "content-type": "text/plain; charset=utf-8" });
  response.end(
    `The request body is too long. It may have ${most / 1_000} kB here, and needs a Content-Length.\n`,
  );
}

/** Whether a request to the API has a valid token. While Redis does not answer, no token is known to be. */
async function isOfToken(target: string, authorization: string | undefined): Promise<boolean> {
  const secret = bearerOf(authorization);
  if (!target.startsWith(`${apiRoot}/`) || secret === undefined) return false;
  const found = await findToken(theConsole().redis, secret).catch(() => undefined);
  return found !== undefined && !found.isExpired;
}

/** The cookie is sealed by this console. Whether its session has ended is asked by what reads the body. */
async function isOfUser(cookies: string, secret: string | undefined): Promise<boolean> {
  const name = `${sessionCookie.name}=`;
  const cookie = cookies.split("; ").find((one) => one.startsWith(name));
  if (cookie === undefined || secret === undefined) return false;
  const claims = await decode({ token: cookie.slice(name.length), secret }).catch(() => null);
  return typeof claims?.sid === "string";
}
