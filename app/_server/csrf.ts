import { createHash } from "node:crypto";
import { cookies } from "next/headers";
import { theConsole } from "./console.ts";
import { csrfCookie } from "./cookies.ts";

/** The token that next-auth will take from this browser, if it has given it one. */
export async function csrfToken(): Promise<string | undefined> {
  const [token, digest] = (await cookies()).get(csrfCookie.name)?.value.split("|") ?? [];
  if (token === undefined) return undefined;
  const expected = createHash("sha256").update(`${token}${theConsole().secret}`).digest("hex");
  return digest === expected ? token : undefined;
}
