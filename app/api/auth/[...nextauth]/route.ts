import type { NextRequest } from "next/server";
import NextAuth, { type NextAuthOptions } from "next-auth";
import { environment } from "../../../../lib/env.ts";
import { authOptions } from "../../../_server/auth.ts";
import { theConsole } from "../../../_server/console.ts";
import { isHttps } from "../../../_server/cookies.ts";
import { theDoor } from "../../../_server/door.ts";
import { cookieSession, requestAddress } from "../../../_server/session.ts";
import { handOver } from "./hand-over.ts";

interface Context {
  readonly params: Promise<{ nextauth: string[] }>;
}

/** What the console needs of next-auth; the rest (writing to its log, for one) is nobody's. */
const served: Readonly<Record<string, readonly string[]>> = {
  GET: ["csrf", "providers", "session", "signin", "callback", "error"],
  POST: ["callback", "signin", "signout"],
};

async function handle(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  if (!served[request.method]?.includes(nextauth[0] ?? "")) return new Response("Not found", { status: 404 });
  const { oidc, publicUrl } = environment();
  const options = authOptions({
    ...{ door: theDoor(), secret: theConsole().secret, isHttps, oidc, log: console.warn },
    ...{ address: await requestAddress(), before: await cookieSession() },
  });
  const response = await answer(request, context, options);
  response.headers.set("cache-control", "no-store");
  return handOver(response, publicUrl);
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

export { handle as GET, handle as POST };
