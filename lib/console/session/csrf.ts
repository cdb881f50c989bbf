import { createHash, timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";
import { theConsole } from "../console.ts";
import { csrfCookie } from "./cookies.ts";

/** The token that next-auth will take from this browser, if it has given it one. */
export async function csrfToken(): Promise<string | undefined> {
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
