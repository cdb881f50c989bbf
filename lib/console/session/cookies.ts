import type { CookiesOptions } from "next-auth";
import { environment } from "../../env.ts";

const minutes = 60;

/** Every cookie of signing in. `__Host-` keeps a neighbouring host from setting one; browsers take it over https alone. */
export function authCookies(isHttps: boolean): CookiesOptions {
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps } as const;
  const cookie = (name: string, maxAge?: number) => ({
    name: `${isHttps ? "__Host-" : ""}sluice.${name}`,
    options: maxAge === undefined ? options : { ...options, maxAge },
  });
  return {
    sessionToken: cookie("session"),
    csrfToken: cookie("csrf"),
    callbackUrl: cookie("callback-url"),
    state: cookie("state", 15 * minutes),
    pkceCodeVerifier: cookie("pkce", 15 * minutes),
    nonce: cookie("nonce", 15 * minutes),
  };
}

export const isHttps = environment().publicUrl?.startsWith("https:") ?? false;

const ours = authCookies(isHttps);
export const sessionCookie = ours.sessionToken;
export const csrfCookie = ours.csrfToken;
