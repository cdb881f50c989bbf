import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { decode } from "next-auth/jwt";
import { cache } from "react";
import { may, type Permission, type Role } from "../../lib/auth/roles.ts";
import { findSession } from "../../lib/auth/sessions.ts";
import { readStamp } from "../../lib/guard/peer.ts";
import { clientAddress } from "../../lib/ip/client-address.ts";
import type { Ip } from "../../lib/ip/parse.ts";
import { theConsole } from "./console.ts";
import { sessionCookie } from "./cookies.ts";

/** Whose request this is. */
export interface SignedIn {
  readonly sessionId: string;
  readonly email: string;
  readonly role: Role;
  /** Where the request comes from; nothing when a proxy that is not trusted hides it. */
  readonly address: Ip | undefined;
}

/** @param isActivity polling is none, and keeps nobody signed in */
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

/** For pages: whoever is not signed in is sent to sign in, and comes back afterwards. */
export const requireSignedIn = cache(async (): Promise<SignedIn> => {
  const found = await findSignedIn({ isActivity: true });
  if (found) return found;
  const asked = (await headers()).get("x-sluice-path") ?? "/";
  redirect(`/signin?to=${encodeURIComponent(asked)}`);
});

export async function isAllowed(permission: Permission): Promise<boolean> {
  return may((await requireSignedIn()).role, permission);
}

/** The address of whoever sends this request, as the guard sees it. */
export async function requestAddress(): Promise<Ip | undefined> {
  const sent = await headers();
  return clientAddress(readStamp(sent).peer, sent.get("x-forwarded-for"), theConsole().trust);
}
