import { createHash, timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { environment } from "../../env.ts";
import { findLink } from "../../manage/users/link.ts";
import { passwordSet } from "../../manage/users/passwords.ts";
import { theConsole } from "../console.ts";
import { failureOf } from "../failure.ts";
import type { PageSearch } from "../prefetch.tsx";
import { csrfCookie } from "./cookies.ts";
import { theDoor } from "./door.ts";
import { returnPath } from "./return-path.ts";
import { cookieSession, findSignedIn, requestOrigin } from "./session.ts";

/**
 * What the sign-in page shows: `to` is the path to open after the sign-in, `code` that of what happened before. Redirects users
 * that are signed in, and browsers that have no token of next-auth yet.
 */
export async function readSignInPage(search: Awaited<PageSearch>) {
  const { publicUrl, oidc } = environment();
  const publicOrigin = publicUrl ?? "http://localhost:3000";
  const [callbackUrl, error] = [one(search.callbackUrl), one(search.error)];
  const to = returnPath(one(search.to) ?? callbackUrl, publicOrigin);
  const [state, token] = [await sessionState(), await csrfToken()];
  if (state === "signed in" && error !== passwordSet) redirect(to);
  const code = error ?? (state === "ended" || state === "unavailable" ? state : undefined);
  if (token === undefined && callbackUrl === undefined) redirect(throughAuth(to, code));
  const origin = await requestOrigin();
  const attempts = await theDoor().limits.attempts(origin);
  const host = new URL(publicOrigin).host;
  return { host, token, to, code, hasSso: oidc !== undefined, attempts, address: origin.address };
}

async function sessionState(): Promise<"signed in" | "signed out" | "ended" | "unavailable"> {
  if ((await cookieSession()) === undefined) return "signed out";
  return findSignedIn({ isActivity: true }).then(
    (found) => (found ? "signed in" : "ended"),
    () => "unavailable",
  );
}

/** On this path next-auth gives the browser its token, which a page cannot. It takes one code along, as `error`. */
function throughAuth(to: string, code: string | undefined): string {
  return `/api/auth/signin?${new URLSearchParams({ callbackUrl: to, ...(code && { error: code }) })}`;
}

const one = (given: string | string[] | undefined): string | undefined =>
  typeof given === "string" ? given : given?.[0];

/** The token that next-auth will take from this browser, if it has given it one. */
async function csrfToken(): Promise<string | undefined> {
  return tokenIn((await cookies()).get(csrfCookie.name)?.value ?? "", theConsole().secret);
}

/** next-auth writes `<token>|<SHA-256 of token and secret>`. */
export function tokenIn(cookie: string, secret: string): string | undefined {
  const [token = "", digest = ""] = cookie.split("|");
  const expected = createHash("sha256").update(`${token}${secret}`).digest();
  const given = Buffer.from(digest, "hex");
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return token !== "" && isOurs ? token : undefined;
}

/** What the page of a one-time link shows. Reading does not use the link up. */
export async function readWelcomePage(word: string) {
  const { publicUrl } = environment();
  const found = await findLink(theConsole().redis, word).catch((error: unknown) => failureOf(error, "read"));
  return { host: publicUrl && new URL(publicUrl).host, word, found };
}
