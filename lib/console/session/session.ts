import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { decode } from "next-auth/jwt";
import { cache } from "react";
import { readStamp } from "../../enforce/guard/peer.ts";
import { clientAddress, type Trust } from "../../ip/client-address.ts";
import { clientPath } from "../../ip/client-path.ts";
import type { Ip } from "../../ip/parse.ts";
import type { Role } from "../../manage/users/roles.ts";
import { findSession } from "../../manage/users/sessions.ts";
import { isUnnamedProxy } from "../../manage/users/unnamed-proxy.ts";
import { theConsole } from "../console.ts";
import { sessionCookie } from "./cookies.ts";

/** Whose request this is. */
export interface SignedIn {
  readonly sessionId: string;
  readonly email: string;
  readonly role: Role;
  /** Where the request comes from; nothing when a proxy that is not trusted hides it. */
  readonly address: Ip | undefined;
}

/** @param isActivity whether the session is extended; polling and what is fetched in advance do not */
export async function findSignedIn({ isActivity }: { isActivity: boolean }): Promise<SignedIn | undefined> {
  const id = await cookieSession();
  const session = id === undefined ? undefined : await findSession(theConsole().redis, id, { isActivity });
  if (!session) return undefined;
  const { id: sessionId, email, role } = session;
  return { sessionId, email, role, address: await requestAddress() };
}

/** The session that the browser's cookie names, which may have ended. */
export async function cookieSession(): Promise<string | undefined> {
  const token = (await cookies()).get(sessionCookie.name)?.value;
  if (token === undefined) return undefined;
  const claims = await decode({ token, secret: theConsole().secret }).catch(() => null);
  return typeof claims?.sid === "string" ? claims.sid : undefined;
}

/** For pages: a request without a session is sent to the sign-in page, and returns afterwards. */
export const requireSignedIn = cache(async (): Promise<SignedIn> => {
  const sent = await headers();
  // Without it, a page is fetched for the router, perhaps in advance: reads then tell whether its user is active.
  const isDocument = sent.get("accept")?.includes("text/html") ?? false;
  const found = await findSignedIn({ isActivity: isDocument });
  if (found) return found;
  const asked = sent.get("x-sluice-path") ?? "/";
  redirect(`/signin?to=${encodeURIComponent(asked)}`);
});

/** Client address of this request, as the guard sees it. */
export async function requestAddress(): Promise<Ip | undefined> {
  return (await requestOrigin()).address;
}

export async function requestOrigin(): Promise<RequestOrigin> {
  return originIn(await headers(), theConsole().trust);
}

export interface RequestOrigin {
  readonly address: Ip | undefined;
  readonly isForwarded: boolean;
}

/** Where a request with these headers comes from. */
export function originIn(sent: Headers, trust: Trust): RequestOrigin {
  const { peer } = readStamp(sent);
  const forwardedFor = sent.get("x-forwarded-for");
  const address = clientAddress(peer, forwardedFor, trust);
  return { address, isForwarded: isUnnamedProxy({ address, peer, forwardedFor }) };
}

/** Hops of this request from its client to the console, and the settings that they follow from. */
export async function readOwnPath() {
  const sent = await headers();
  const { trust } = theConsole();
  const { peer } = readStamp(sent);
  const received = sent.get("x-forwarded-for");
  // Where no header came, Next puts the address of the socket in its place.
  const forwardedFor = received === peer ? null : received;
  return { trust, forwardedFor, hops: clientPath(peer, forwardedFor, trust) };
}
