import type { NextRequest } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { environment } from "../../env.ts";
import { readSso } from "../../manage/users/sso-settings.ts";
import { theConsole } from "../console.ts";
import { authOptions } from "./auth.ts";
import { isHttps } from "./cookies.ts";
import { theDoor } from "./door.ts";
import { handOver } from "./hand-over.ts";
import { cookieSession, requestOrigin } from "./session.ts";

interface Context {
  readonly params: Promise<{ nextauth: string[] }>;
}

/** What the console needs of next-auth. The rest, for example writing to its log, answers 404. */
const served: Readonly<Record<string, readonly string[]>> = {
  GET: ["csrf", "providers", "session", "signin", "callback", "error"],
  POST: ["callback", "signin", "signout"],
};

export async function handleSignIn(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  if (!served[request.method]?.includes(nextauth[0] ?? "")) return new Response("Not found", { status: 404 });
  const env = environment();
  const options = authOptions({
    ...{ door: theDoor(), secret: theConsole().secret, isHttps, oidc: readSso(env), log: console.warn },
    ...{ ...(await requestOrigin()), before: await cookieSession() },
  });
  const response = await answer(request, context, options);
  response.headers.set("cache-control", "no-store");
  return handOver(response, env.publicUrl);
}

/** What it throws over is a body that it cannot read: everything else it tells by a redirect. */
async function answer(request: NextRequest, context: Context, options: NextAuthOptions): Promise<Response> {
  try {
    return await NextAuth(request, context, options);
  } catch (error) {
    // Its message may quote the body, and so a password.
    const kind = error instanceof Error ? error.name : "no error";
    console.warn(`sluice: signing in: a request could not be read (${kind}).`);
    return new Response("This request cannot be read.", { status: 400 });
  }
}
